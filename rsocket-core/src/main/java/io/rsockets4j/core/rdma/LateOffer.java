/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.ListenOffer;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** A listener that is offered once the fabric is open, unless it is closed by then. Thread-safe. */
final class LateOffer implements ListenOffer {
    private static final ListenOffer NOTHING = new Nothing();

    private final ReentrantLock lock = new ReentrantLock(); // held while the listener begins and ends
    private volatile ListenOffer offer = NOTHING; // written under lock
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
                offer = begun == null ? NOTHING : begun;
                tellWhetherFull();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whoever calls {@link #full} meanwhile may tell it first: what was noted last is told last. */
    private void tellWhetherFull() {
        boolean told;
        do {
            told = full;
            offer.full(told);
        } while (told != full);
    }

    @Override
    public void attend() {
        offer.attend();
    }

    @Override
    public void serve() {
        offer.serve();
    }

    @Override
    public void leave() {
        offer.leave();
    }

    @Override
    public void arm() {
        offer.arm();
    }

    @Override
    public void full(boolean newFull) {
        full = newFull; // before the look: begin stores the offer before it looks at this
        offer.full(newFull);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            offer.close();
        } finally {
            lock.unlock();
        }
    }

    /** What there is before it begins. */
    private static final class Nothing implements ListenOffer {
        @Override
        public void attend() { }

        @Override
        public void serve() { }

        @Override
        public void leave() { }

        @Override
        public void close() { }
    }
}
