/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The group of channels that were opened without one: daemon threads, as many as there are cores and more when handlers
 * hold them up, or what the properties say that {@link java.nio.channels.AsynchronousChannelGroup} documents. Made when
 * first asked for. Thread-safe.
 */
public final class DefaultGroup {
    private static final String FACTORY = "java.nio.channels.DefaultThreadPool.threadFactory";
    private static final String INITIAL_SIZE = "java.nio.channels.DefaultThreadPool.initialSize";

    private final AsynchronousChannelProvider provider;
    private final SelectorProvider channels;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile RAsynchronousChannelGroup group; // written under lock

    /**
     * Names the default group of a provider.
     *
     * @param provider the provider
     * @param channels makes the channels and the selector
     */
    public DefaultGroup(AsynchronousChannelProvider provider, SelectorProvider channels) {
        this.provider = provider;
        this.channels = channels;
    }

    /**
     * The group.
     *
     * @return the same each time
     * @throws IOException if its selector cannot be opened
     */
    public RAsynchronousChannelGroup get() throws IOException {
        RAsynchronousChannelGroup made = group;
        return made != null ? made : make();
    }

    private RAsynchronousChannelGroup make() throws IOException {
        lock.lock();
        try {
            if (group == null) {
                group = RAsynchronousChannelGroup.on(provider, channels, Executors.newCachedThreadPool(factory()),
                        initialSize());
            }
            return group;
        } finally {
            lock.unlock();
        }
    }

    private static int initialSize() {
        String size = System.getProperty(INITIAL_SIZE);
        try {
            return size == null ? -1 : Math.max(1, Integer.parseInt(size));
        } catch (NumberFormatException e) {
            throw new Error("Value of property '" + INITIAL_SIZE + "' is invalid: " + size, e);
        }
    }

    private static ThreadFactory factory() {
        String name = System.getProperty(FACTORY);
        if (name == null) {
            AtomicInteger number = new AtomicInteger();
            return task -> { // runs the program's handlers, whose exceptions are the program's
                Thread thread = new Thread(OwnThreads.group(), task,
                        "rsockets4j-async-" + number.incrementAndGet(), 0, false);
                thread.setDaemon(true);
                return thread;
            };
        }
        try {
            return (ThreadFactory) Class.forName(name, true, ClassLoader.getSystemClassLoader())
                    .getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }
}
