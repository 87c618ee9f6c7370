/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.ListenOffer;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** A listener that is offered once the fabric is open, unless it is closed by then. Thread-safe. */
final class LateOffer implements ListenOffer {
    private final ReentrantLock lock = new ReentrantLock(); // held while the listener begins and ends
    private volatile ListenOffer offer; // written under lock; null before it begins
    private volatile boolean full;
    private boolean closed; // guarded by lock

    /**
     * Begins, on another thread than the program's.
     *
     * @throws IOException if the fabric cannot serve that address
     */
    void begin(Fabric fabric, Fabric.ListenRequest request, AcceptQueue queue) throws IOException {
        lock.lock();
        try {
            if (!closed) {
                ListenOffer begun = fabric.listen(request, queue);
                offer = begun;
                if (begun != null) {
                    tellWhetherFull(begun);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whoever calls {@link #full} meanwhile may tell it first: what was noted last is told last. */
    private void tellWhetherFull(ListenOffer begun) {
        boolean told;
        do {
            told = full;
            begun.full(told);
        } while (told != full);
    }

    @Override
    public void attend() {
        ListenOffer begun = offer;
        if (begun != null) {
            begun.attend();
        }
    }

    @Override
    public void serve() {
        ListenOffer begun = offer;
        if (begun != null) {
            begun.serve();
        }
    }

    @Override
    public void leave() {
        ListenOffer begun = offer;
        if (begun != null) {
            begun.leave();
        }
    }

    @Override
    public void full(boolean newFull) {
        full = newFull; // before the look: begin stores the offer before it looks at this
        ListenOffer begun = offer;
        if (begun != null) {
            begun.full(newFull);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (offer != null) {
                offer.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
