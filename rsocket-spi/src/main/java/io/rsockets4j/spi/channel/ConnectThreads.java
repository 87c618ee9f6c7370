/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads that wait for peers' answers in the place of programs that do not: one for each connect that is under
 * way. They end when there is nothing to do for a while. Thread-safe.
 */
public final class ConnectThreads {
    private static final long IDLE_MILLIS = 2_000;
    private static final ExecutorService THREADS = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_MILLIS,
            TimeUnit.MILLISECONDS, new SynchronousQueue<>(), ConnectThreads::newThread);

    private ConnectThreads() { }

    /**
     * Runs a connect. Returns at once.
     *
     * @param connect may block; keeps its failures to itself
     */
    public static void execute(Runnable connect) {
        THREADS.execute(connect);
    }

    private static Thread newThread(Runnable body) {
        Thread thread = new Thread(null, body, "rsockets4j-connect", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }
}
