/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Begins its first connect, and ends in the midst of it. */
public final class EndWhileConnecting {
    private static final long NANOS_PER_MICRO = 1000;

    private static volatile boolean begun;

    private EndWhileConnecting() { }

    /** Arguments: the port, "exit" or "halt", and how many microseconds after the connect has begun. */
    public static void main(String[] args) {
        long delayNanos = Long.parseLong(args[2]) * NANOS_PER_MICRO;
        boolean halt = args[1].equals("halt");
        InetAddress server = InetAddress.getLoopbackAddress();
        int port = Integer.parseInt(args[0]);
        Thread end = new Thread(() -> end(delayNanos, halt));
        end.setPriority(Thread.MAX_PRIORITY);
        end.start();
        begun = true;
        try (Socket socket = new Socket(server, port)) {
            socket.getOutputStream().write(1);
            end.join();
        } catch (IOException | InterruptedException e) {
            Runtime.getRuntime().halt(0); // the JVM ends already; other failures the server would show
        }
    }

    private static void end(long delayNanos, boolean halt) {
        while (!begun) {
            Thread.onSpinWait();
        }
        long start = System.nanoTime();
        while (System.nanoTime() - start < delayNanos) {
            Thread.onSpinWait();
        }
        if (halt) {
            Runtime.getRuntime().halt(0);
        }
        System.exit(0);
    }
}
