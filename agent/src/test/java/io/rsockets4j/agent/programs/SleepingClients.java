/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Connects many times to a {@link SleepingServer}, with a thread for each connection. At each line of its standard
 * input these make some round trips, and it prints how many were right. At a {@value #WAIT} each waits for a byte that
 * does not come; once the server is gone, it prints how many waits have ended. It ends with its standard input, whoever
 * sleeps.
 */
public final class SleepingClients {
    /** What has the threads wait. */
    public static final char WAIT = 'w';

    private SleepingClients() { }

    /** Arguments: the port, how many connections, and how many round trips for each line. */
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
        for (int order = System.in.read(); order >= 0; order = System.in.read()) {
            if (order == WAIT) {
                SleepingServer.daemon(() -> printSum(threads, sockets, SleepingClients::awaitEnd), "waits");
            } else {
                printSum(threads, sockets, socket -> ask(socket, trips));
            }
        }
    }

    private interface Work {
        int on(Socket socket) throws IOException;
    }

    private static void printSum(ExecutorService threads, List<Socket> sockets, Work work) {
        List<Callable<Integer>> calls = new ArrayList<>();
        for (Socket socket : sockets) {
            calls.add(() -> work.on(socket));
        }
        int sum = 0;
        try {
            for (Future<Integer> result : threads.invokeAll(calls)) {
                sum += result.get();
            }
            System.out.println(sum);
        } catch (InterruptedException | ExecutionException e) {
            System.out.println(e); // a line that no test expects
        }
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
