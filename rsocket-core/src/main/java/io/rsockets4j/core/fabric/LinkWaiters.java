/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who in this process waits for a link: usually one waiter per direction; a channel that is registered with two
 * selectors has two. Thread-safe. A waiter arms and then looks at the link; whoever changes the link wakes afterwards:
 * so no change is missed.
 */
public class LinkWaiters {
    private ThreadWaiter readingThread; // as below; made when a thread first waits here
    private ThreadWaiter writingThread; // used by the thread that holds the direction
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed; // no waiter is added any more; written under lock
    private volatile Waiter reader; // written under lock
    private volatile Waiter writer; // written under lock
    private volatile long stalls; // written under lock
    private Runnable atStallsEnd; // guarded by lock; null unless someone wants to know
    private volatile LinkObserver observer = LinkObserver.NONE;
    private volatile List<Waiter> others = List.of(); // replaced under lock; second and further ones

    /** Creates the waiters of a new link: none. */
    public LinkWaiters() { }

    /**
     * The reusable waiter of the one thread that may wait in a direction, which is locked by that thread.
     *
     * @param op {@code OP_READ} or {@code OP_WRITE}
     * @return the same object each time
     */
    public final ThreadWaiter threadWaiter(int op) {
        if (op == OP_READ) {
            readingThread = readingThread == null ? new ThreadWaiter() : readingThread;
            return readingThread;
        }
        writingThread = writingThread == null ? new ThreadWaiter() : writingThread;
        return writingThread;
    }

    /**
     * Adds a waiter, if it is not there already. Does nothing once closed.
     *
     * @param ops a combination of {@code OP_READ} and {@code OP_WRITE}
     * @param waiter whom to wake; its bell is not used where several wait
     */
    public final void arm(int ops, Waiter waiter) {
        lock.lock();
        try {
            if (!closed) {
                if ((ops & OP_WRITE) != 0 && writer == null) {
                    stalls++;
                    atStallsEnd = observer.onStall();
                }
                armed(ops, add(ops, waiter) ? waiter.bell() : 0);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Tells the peer that someone waits, where it has to know. Called under the lock.
     *
     * @param ops for what
     * @param bell whom to ring, 0 for the fabric's own thread
     */
    protected void armed(int ops, int bell) { }

    /**
     * Counts a wait to send that {@link #arm} does not see, and tells the observer.
     *
     * @return what to run when the wait ends, or null
     */
    protected final Runnable beginStall() {
        lock.lock();
        try {
            stalls++;
            return observer.onStall();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes those who wait in a fabric's own way, besides the waiters that were armed here. */
    protected void wakeOthers() { }

    /**
     * The link has closed: no waiter is added any more, and {@link #armed} will not be called.
     *
     * @return whether this is the first call
     */
    public final boolean close() {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the link has closed. */
    final boolean isClosed() {
        return closed;
    }

    /**
     * Whom to tell of stalls and wake-ups from now on.
     *
     * @param newObserver replaces the one before
     */
    public final void observe(LinkObserver newObserver) {
        observer = newObserver;
    }

    /**
     * Whom to tell.
     *
     * @return never null
     */
    public final LinkObserver observer() {
        return observer;
    }

    /**
     * How often someone began to wait until it can send, while nobody else did. Any thread.
     *
     * @return since the link began
     */
    public final long stalls() {
        return stalls;
    }

    /** Whether the waiter is the only one for these operations. */
    private boolean add(int ops, Waiter waiter) {
        boolean alone = true;
        if ((ops & OP_READ) != 0) {
            if (reader == null || reader == waiter) {
                reader = waiter;
            } else {
                alone = false;
            }
        }
        if ((ops & OP_WRITE) != 0) {
            if (writer == null || writer == waiter) {
                writer = waiter;
            } else {
                alone = false;
            }
        }
        if (!alone && !others.contains(waiter)) {
            List<Waiter> more = new ArrayList<>(others);
            more.add(waiter);
            others = more;
        }
        return alone && others.isEmpty();
    }

    /**
     * Removes a waiter from both directions; unknown ones are ignored.
     *
     * @param waiter whom not to wake any more
     */
    public final void remove(Waiter waiter) {
        Runnable stallEnded = null;
        lock.lock();
        try {
            removeLocked(waiter);
            if (writer == null) {
                stallEnded = atStallsEnd;
                atStallsEnd = null;
            }
        } finally {
            lock.unlock();
        }
        if (stallEnded != null) {
            stallEnded.run();
        }
    }

    private void removeLocked(Waiter waiter) {
        if (reader == waiter) {
            reader = null;
        }
        if (writer == waiter) {
            writer = null;
        }
        if (!others.isEmpty()) {
            List<Waiter> fewer = new ArrayList<>(others);
            fewer.remove(waiter);
            others = fewer;
        }
    }

    /**
     * Wakes every waiter. They stay: whoever has been woken removes itself.
     *
     * @param source the link
     */
    public final void wake(Object source) {
        wakeOthers();
        Waiter first = reader;
        Waiter second = writer;
        if (first != null) {
            first.wake(source);
        }
        if (second != null && second != first) {
            second.wake(source);
        }
        List<Waiter> more = others;
        for (int i = 0; i < more.size(); i++) { // an iterator is an object, and every message over RDMA comes here
            more.get(i).wake(source);
        }
    }
}
