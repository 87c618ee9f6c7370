/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.spi.channel.RServerSocketChannel;
import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.nio.channels.AsynchronousChannel;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.Channel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A group of asynchronous channels: its threads, and the poller that they share. It terminates when it is shut down,
 * its last channel is closed and the handlers that were left are submitted; then its executor is shut down.
 * Thread-safe.
 *
 * <p>Also an {@link Executor}, which no contract promises, but every group of the JDK is one, and programs may know.
 */
public final class RAsynchronousChannelGroup extends AsynchronousChannelGroup implements Executor {
    private static final Log LOG = Log.of(RAsynchronousChannelGroup.class);
    private static final int TERMINATED = Integer.MIN_VALUE;

    private final SelectorProvider channels;
    private final ExecutorService executor;
    private final Poller poller;
    private final Crew crew;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<AsynchronousChannel> open = new HashSet<>(); // guarded by lock
    private volatile boolean shutdown; // written under lock
    /** How many handlers are about to be submitted, which keep the group from terminating; or {@link #TERMINATED}. */
    private final AtomicInteger held = new AtomicInteger();

    private RAsynchronousChannelGroup(AsynchronousChannelProvider provider, SelectorProvider channels,
            ExecutorService executor, int workers, boolean mayGrow) throws IOException {
        super(provider);
        this.channels = channels;
        this.executor = executor;
        TaskQueue tasks = new TaskQueue();
        poller = new Poller(channels.openSelector(), tasks, Readiness.collector(tasks));
        crew = workers == 0 ? new BorrowedThreads(this, poller, tasks, executor)
                : new Workers(this, poller, tasks, executor, workers, mayGrow);
    }

    private static RAsynchronousChannelGroup started(AsynchronousChannelProvider provider, SelectorProvider channels,
            ExecutorService executor, int workers, boolean mayGrow) throws IOException {
        RAsynchronousChannelGroup group =
                new RAsynchronousChannelGroup(provider, channels, executor, workers, mayGrow);
        group.crew.start();
        return group;
    }

    /**
     * Makes a group with a fixed number of threads.
     *
     * @param provider what {@link #provider} shall return
     * @param channels makes the channels and the selector
     * @param threads how many, at least one
     * @param factory makes them
     * @return a new group
     * @throws IOException if its selector cannot be opened
     */
    public static RAsynchronousChannelGroup fixed(AsynchronousChannelProvider provider, SelectorProvider channels,
            int threads, ThreadFactory factory) throws IOException {
        if (threads <= 0) {
            throw new IllegalArgumentException("'nThreads' must be > 0");
        }
        return started(provider, channels, Executors.newFixedThreadPool(threads, factory), threads, false);
    }

    /**
     * Makes a group whose handlers run on an executor.
     *
     * @param provider what {@link #provider} shall return
     * @param channels makes the channels and the selector
     * @param executor shut down when the group terminates
     * @param initialSize how many of its threads the group may keep: with 0 they are borrowed for each handler, and the
     *     group waits on a thread of its own; less than 0 leaves it to the group
     * @return a new group
     * @throws IOException if its selector cannot be opened
     */
    public static RAsynchronousChannelGroup on(AsynchronousChannelProvider provider, SelectorProvider channels,
            ExecutorService executor, int initialSize) throws IOException {
        int workers = initialSize < 0 ? Runtime.getRuntime().availableProcessors() : initialSize;
        return started(provider, channels, executor, workers, true);
    }

    RSocketChannel openSocketChannel() throws IOException {
        return (RSocketChannel) channels.openSocketChannel();
    }

    RServerSocketChannel openServerSocketChannel() throws IOException {
        return (RServerSocketChannel) channels.openServerSocketChannel();
    }

    Poller poller() {
        return poller;
    }

    /**
     * Keeps the group from terminating until {@link #release}, while something is to be submitted: the handler of an
     * operation that is no longer pending, so that its channel may be closed already.
     *
     * @return false if the group has terminated before
     */
    boolean hold() {
        return held.getAndUpdate(n -> n == TERMINATED ? n : n + 1) != TERMINATED;
    }

    /** What there was a {@link #hold} for is submitted. */
    void release() {
        if (held.decrementAndGet() == 0 && shutdown) { // volatile load after the store: pairs with shutdown
            terminateIfDone();
        }
    }

    /** Has a handler invoked soon, by a thread of the group and never in here. The caller has a {@link #hold}. */
    <V, A> void submit(CompletionHandler<V, ? super A> handler, A attachment, V result, Throwable failure) {
        crew.submit(new Command(
                () -> GroupThread.forHandlersOf(this).invoke(handler, attachment, result, failure)));
    }

    /**
     * Runs a command on one of the group's threads, among its handlers. Does not wait.
     *
     * @param command what to run
     * @throws RejectedExecutionException if the group has terminated
     */
    @Override
    public void execute(Runnable command) {
        Task task = new Command(Objects.requireNonNull(command));
        if (!hold()) {
            throw new RejectedExecutionException("the group has terminated");
        }
        try {
            crew.submit(task);
        } catch (ShutdownChannelGroupException e) {
            throw new RejectedExecutionException("the executor of the group takes no tasks", e);
        } finally {
            release();
        }
    }

    /** Takes a channel in, or closes what is under it. */
    void add(AsynchronousChannel channel, Channel under) throws IOException {
        lock.lock();
        try {
            if (!shutdown) {
                open.add(channel);
                return;
            }
        } finally {
            lock.unlock();
        }
        under.close();
        throw new ShutdownChannelGroupException();
    }

    /** A channel has been closed. */
    void remove(AsynchronousChannel channel) {
        lock.lock();
        try {
            open.remove(channel);
        } finally {
            lock.unlock();
        }
        terminateIfDone();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public void shutdown() {
        lock.lock();
        try {
            shutdown = true;
        } finally {
            lock.unlock();
        }
        terminateIfDone();
    }

    @Override
    public void shutdownNow() throws IOException {
        shutdown();
        List<AsynchronousChannel> left;
        lock.lock();
        try {
            left = List.copyOf(open);
        } finally {
            lock.unlock();
        }
        for (AsynchronousChannel channel : left) {
            close(channel);
        }
    }

    private static void close(AsynchronousChannel channel) {
        try {
            channel.close();
        } catch (IOException | ShutdownChannelGroupException e) { // the others are to be closed all the same
            LOG.log(System.Logger.Level.DEBUG, "a channel of a group that is shut down could not be closed", e);
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }

    private void terminateIfDone() {
        lock.lock();
        try {
            if (!shutdown || !open.isEmpty() || !held.compareAndSet(0, TERMINATED)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            poller.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the selector of a group that has ended could not be closed", e);
        }
        crew.stop();
    }
}
