/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Prints its port, and answers each byte of each client by the next one after up to a millisecond, so that both sides
 * sleep. For each byte of its standard input it prints how many connections are open; it ends with that input.
 */
public final class SleepingServer {
    /** What threads that talk are called, also by the kernel. */
    public static final String THREAD = "talks";

    private static final int PAUSE_NANOS = 1_000_000;

    private SleepingServer() { }

    public static void main(String[] args) throws Exception {
        AtomicInteger open = new AtomicInteger();
        try (ServerSocket listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress())) {
            System.out.println(listener.getLocalPort());
            daemon(() -> acceptAll(listener, open), "accepts");
            while (System.in.read() >= 0) {
                System.out.println(open.get());
            }
        }
    }

    private static void acceptAll(ServerSocket listener, AtomicInteger open) {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.incrementAndGet();
                daemon(() -> serve(socket, open), THREAD);
            } catch (IOException e) {
                System.out.println(e); // a line that no test expects, unless the server ends
            }
        }
    }

    private static void serve(Socket socket, AtomicInteger open) {
        try (socket) {
            for (int value = socket.getInputStream().read(); value >= 0; value = socket.getInputStream().read()) {
                pause();
                socket.getOutputStream().write(value + 1);
            }
        } catch (IOException e) {
            if (!e.getMessage().startsWith("Connection reset") && !e.getMessage().startsWith("Broken pipe")) {
                System.out.println(e);
            }
        } finally {
            open.decrementAndGet();
        }
    }

    /** Lets the peer fall asleep, or not. */
    static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(PAUSE_NANOS));
    }

    /** Starts a thread that does not keep the program from ending. */
    static void daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
