/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.fabric.Waiter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who in this process waits for a link: usually one waiter per direction; a channel that is registered with two
 * selectors has two. Thread-safe. Arming, then looking at the link; changing the link, then ringing: so none is missed.
 */
final class LinkWaiters {
    private final ByteBuffer inControl;
    private final ByteBuffer outControl;
    private final ThreadWaiter readingThread = new ThreadWaiter();
    private final ThreadWaiter writingThread = new ThreadWaiter();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed; // guarded by lock
    private volatile Waiter reader; // written under lock
    private volatile Waiter writer; // written under lock
    private final List<Waiter> others = new CopyOnWriteArrayList<>(); // written under lock; second and further ones

    /**
     * Creates the waiters of a new link: none.
     *
     * @param inControl words of the ring that this side receives on
     * @param outControl words of the ring that this side sends on
     */
    LinkWaiters(ByteBuffer inControl, ByteBuffer outControl) {
        this.inControl = inControl;
        this.outControl = outControl;
    }

    /** The reusable waiter of the one thread that may wait in a direction. */
    ThreadWaiter threadWaiter(int op) {
        return op == OP_READ ? readingThread : writingThread;
    }

    /**
     * Adds a waiter, if it is not there already, and tells the peer which lane to ring. Does nothing once closed: the
     * slot may be another connection's by then.
     *
     * @param lane the waiter's own; where several wait, the doorbell thread's lane is rung instead
     */
    void arm(int ops, Waiter waiter, int lane) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            long arm = 1 + (add(ops, waiter) ? lane : 0);
            if ((ops & OP_READ) != 0) {
                Words.putOpaque(inControl, READER_ARM, arm); // ordered by the fence in ShmLink.armWith
            }
            if ((ops & OP_WRITE) != 0) {
                Words.putRelease(outControl, WRITER_ARM, arm); // pairs with ShmLink.receive; see the fence in armWith
            }
        } finally {
            lock.unlock();
        }
    }

    /** No waiter touches the slot's words any more. */
    void close() {
        lock.lock();
        closed = true;
        lock.unlock();
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
            others.add(waiter);
        }
        return alone && others.isEmpty();
    }

    void remove(Waiter waiter) {
        lock.lock();
        try {
            removeLocked(waiter);
        } finally {
            lock.unlock();
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
            others.remove(waiter);
        }
    }

    void ring(Object source) {
        Waiter first = reader;
        Waiter second = writer;
        if (first != null) {
            first.ring(source);
        }
        if (second != null && second != first) {
            second.ring(source);
        }
        for (Waiter other : others) {
            other.ring(source);
        }
    }
}
