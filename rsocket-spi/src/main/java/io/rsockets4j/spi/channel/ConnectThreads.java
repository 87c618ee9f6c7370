/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads that wait for peers' answers in place of programs that do not wait: one for each connect under way.
 * They end when there is nothing to do for a while. Thread-safe.
 */
public final class ConnectThreads {
    private static final long IDLE_MILLIS = 2_000;
    private static final ExecutorService THREADS = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_MILLIS,
            TimeUnit.MILLISECONDS, new SynchronousQueue<>(), body -> OwnThreads.daemon("rsockets4j-connect", body));

    private ConnectThreads() { }

    /**
     * Runs a connect. Returns at once.
     *
     * @param connect may block; keeps its failures to itself
     * @throws IOException if no thread can be started
     */
    public static void execute(Runnable connect) throws IOException {
        try {
            THREADS.execute(connect);
        } catch (OutOfMemoryError e) {
            throw new IOException("no thread for a connect can be started: " + e.getMessage(), e);
        }
    }
}
