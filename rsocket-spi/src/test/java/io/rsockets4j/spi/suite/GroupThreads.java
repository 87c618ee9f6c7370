/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Machine;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Makes the daemon threads of a group, and remembers them and what ended them. */
final class GroupThreads implements ThreadFactory {
    private static final long PATIENCE_SECONDS = 20L * Machine.SLOWNESS;

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "suite-group");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, cause) -> uncaught.add(cause));
        threads.add(thread);
        return thread;
    }

    Set<Thread> threads() {
        return threads;
    }

    /** @return the next exception that no handler has caught; null when there is none for long */
    Throwable uncaught() throws InterruptedException {
        return uncaught.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
