/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.spi.RSocketSelectorProvider;
import io.rsockets4j.spi.channel.ChannelDoor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where operations go when they have ended. There is no thread behind it: each operation is tried when it is started,
 * and goes on while a thread is in {@link #dequeue}. Thread-safe; of several threads in {@code dequeue}, one polls and
 * the others wait for what it finds.
 */
public final class EventQueue implements Closeable {
    private static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SelectorProvider provider;
    private final Selector selector;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>(); // lock
    private final ArrayDeque<PendingHandshake> handshakes = new ArrayDeque<>(); // lock
    private final Set<DrivenChannel> driven = ConcurrentHashMap.newKeySet();
    private Thread poller; // lock
    private boolean woken; // lock
    private boolean closed; // lock

    private record PendingHandshake(ExtendedSocket socket, long deadlineNanos) { }

    private EventQueue(SelectorProvider provider) throws IOException {
        this.provider = provider;
        selector = provider.openSelector();
    }

    /**
     * Creates a queue. Its sockets take the paths that settings and rules say, with or without the agent.
     *
     * @return an empty one
     * @throws IOException if the process has no descriptor left
     */
    public static EventQueue open() throws IOException {
        return new EventQueue(ours());
    }

    /** Our provider, whichever the program has. It opens to us what we need of the JDK. */
    private static RSocketSelectorProvider ours() {
        return SelectorProvider.provider() instanceof RSocketSelectorProvider installed ? installed : Ours.PROVIDER;
    }

    /** As {@link Engine#share}, in a process that may have opened no queue yet: the engine starts as by the first. */
    static SourceMemory share(int bytes, int partBytes) {
        ours();
        if (Engine.isBarred()) {
            return null;
        }
        ChannelDoor.open();
        return EngineHolder.instance().share(bytes, partBytes);
    }

    /** Made where the program has another one. */
    private static final class Ours {
        static final RSocketSelectorProvider PROVIDER = new RSocketSelectorProvider();

        private Ours() { }
    }

    SelectorProvider provider() {
        return provider;
    }

    Selector selector() {
        return selector;
    }

    /** Those that are open. */
    Set<DrivenChannel> driven() {
        return driven;
    }

    /**
     * Takes the next event, and waits for it if need be.
     *
     * @param time how long to wait at most; with 0 what can be done at once is done
     * @param unit of the time
     * @return null if the time is up, or after {@link #wakeUp}
     * @throws ClosedChannelException if the queue is closed, or gets closed meanwhile
     * @throws InterruptedException if the thread is interrupted
     * @throws IOException if the kernel refuses to tell what is ready
     */
    public Event dequeue(long time, TimeUnit unit) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long limit = Math.max(0, unit.toNanos(time));
        boolean looked = false;
        lock.lockInterruptibly();
        try {
            while (true) {
                if (closed) {
                    throw new ClosedChannelException();
                }
                if (!events.isEmpty()) {
                    return events.poll();
                }
                long left = limit - (System.nanoTime() - start);
                if (woken || left <= 0 && looked) {
                    woken = false;
                    return null;
                }
                if (poller == null) {
                    poll(left);
                } else {
                    changed.awaitNanos(left);
                }
                looked = true;
            }
        } finally {
            changed.signal(); // another one polls now, or takes what is left
            lock.unlock();
        }
    }

    boolean isPolled() {
        lock.lock();
        try {
            return poller != null;
        } finally {
            lock.unlock();
        }
    }

    /** Lets go of the lock meanwhile. */
    private void poll(long nanos) throws IOException, InterruptedException {
        poller = Thread.currentThread();
        PendingHandshake next = handshakes.peek();
        long wait = next == null ? nanos : Math.min(nanos, next.deadlineNanos() - System.nanoTime());
        lock.unlock();
        try {
            if (wait <= 0) {
                selector.selectNow();
            } else {
                selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait + 999_999)));
            }
            for (SelectionKey key : selector.selectedKeys()) {
                ((DrivenChannel) key.attachment()).ready();
            }
            selector.selectedKeys().clear();
            endHandshakes();
        } catch (ClosedSelectorException e) {
            assert !selector.isOpen(); // so is the queue, which the caller sees
        } finally {
            lock.lock();
            poller = null;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Hears when the peer should have said what it is. */
    void awaitHandshake(ExtendedSocket socket) {
        lock.lock();
        try {
            handshakes.add(new PendingHandshake(socket, System.nanoTime() + HANDSHAKE_NANOS));
        } finally {
            lock.unlock();
        }
    }

    /** Those that are over leave the list, and those whose time is up end. */
    private void endHandshakes() {
        while (true) {
            PendingHandshake oldest;
            lock.lock();
            try {
                oldest = handshakes.peek();
                if (oldest == null || oldest.socket().isInHandshake()
                        && oldest.deadlineNanos() - System.nanoTime() > 0) {
                    return;
                }
                handshakes.poll();
            } finally {
                lock.unlock();
            }
            oldest.socket().endHandshake();
        }
    }

    void add(Event event) {
        lock.lock();
        try {
            events.add(event);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Makes a selection that has begun heed what it is to watch now. */
    void reselect() {
        lock.lock();
        try {
            if (poller != null && poller != Thread.currentThread()) {
                selector.wakeup();
            }
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        if (poller == null) {
            changed.signal();
        } else if (poller != Thread.currentThread()) {
            selector.wakeup();
        }
    }

    /** Makes one {@link #dequeue} return null: one that waits now, or else the next, unless it finds an event. */
    public void wakeUp() {
        lock.lock();
        try {
            woken = true;
            wake();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the queue, its sockets and its listeners. Events that nobody has taken are gone. Idempotent.
     *
     * @throws IOException if the selector cannot be closed
     */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (selector.isOpen()) {
            driven.forEach(DrivenChannel::close);
            selector.close();
        }
    }
}
