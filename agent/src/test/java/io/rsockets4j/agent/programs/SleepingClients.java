/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Connects many times to a {@link SleepingServer}. For each byte of its standard input each connection makes some round
 * trips in a thread of its own; then it prints how many were right. At the end of that input each thread waits for a
 * byte that does not come; it prints {@code waiting}, and ends at the end of its standard input, or prints how many
 * waits have ended when the server is gone.
 */
public final class SleepingClients {
    private SleepingClients() { }

    /** Arguments: the port, how many connections, how many round trips for each byte, and what to do at the end. */
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        int trips = Integer.parseInt(args[2]);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
        }
        ExecutorService threads = Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, SleepingServer.THREAD);
            thread.setDaemon(true);
            return thread;
        });
        System.out.println("connected");
        while (System.in.read() == '\n') {
            System.out.println(sum(threads, sockets, socket -> ask(socket, trips)));
        }
        if (args[3].equals("exit")) {
            sockets.forEach(socket -> threads.submit(() -> awaitEnd(socket)));
            return; // these threads sleep, or are about to
        }
        System.out.println(sum(threads, sockets, SleepingClients::awaitEnd));
    }

    private interface Work {
        int on(Socket socket) throws IOException;
    }

    private static int sum(ExecutorService threads, List<Socket> sockets, Work work) throws Exception {
        List<Callable<Integer>> calls = new ArrayList<>();
        for (Socket socket : sockets) {
            calls.add(() -> work.on(socket));
        }
        int sum = 0;
        for (Future<Integer> result : threads.invokeAll(calls)) {
            sum += result.get();
        }
        return sum;
    }

    private static int ask(Socket socket, int trips) throws IOException {
        int right = 0;
        for (int i = 0; i < trips; i++) {
            SleepingServer.pause();
            int value = i & 0x7F;
            socket.getOutputStream().write(value);
            right += socket.getInputStream().read() == value + 1 ? 1 : 0;
        }
        return right;
    }

    /** Returns 1 once the peer has ended, as it may by a killed process: the end of the stream or a reset. */
    private static int awaitEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0 ? 1 : 0;
        } catch (IOException e) {
            if (e.getMessage().equals("Connection reset")) {
                return 1;
            }
            throw e;
        }
    }
}
