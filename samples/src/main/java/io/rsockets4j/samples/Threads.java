/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;

/** Starts the threads of the servers. */
final class Threads {

    /** What a server thread does. */
    @FunctionalInterface
    interface Task {
        /**
         * Serves until the connection or the listener closes.
         *
         * @throws Exception if it cannot go on
         */
        void run() throws Exception;
    }

    private Threads() {}

    /**
     * Starts a thread that does not keep the JVM alive. The closing of its socket ends it quietly, any other
     * failure is reported.
     *
     * @param name the thread's name
     * @param task what it does
     */
    static void daemon(String name, Task task) {
        Thread thread = new Thread(() -> runReporting(task), name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void runReporting(Task task) {
        try {
            task.run();
        } catch (Exception e) {
            if (!isClosing(e)) {
                System.err.println(Thread.currentThread().getName() + ": " + e);
            }
        }
    }

    private static boolean isClosing(Exception e) {
        return e instanceof ClosedChannelException
                || e instanceof ClosedSelectorException
                || e instanceof SocketException && "Socket closed".equals(e.getMessage());
    }
}
