/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * A lock that is one small object, for a stream's directions and where each channel has one: not reentrant, without an
 * owner, one compare-and-set to take and one volatile store to let go. That store is a full fence: whoever lets go of a
 * direction and then looks for a close in progress sees one whose closer failed to take this lock. Waiting parks, also
 * virtual threads, and ignores interrupts.
 */
public final class SimpleLock extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1L;

    /** Takes the lock, waiting for it if need be. */
    public void lock() {
        if (!compareAndSetState(0, 1)) {
            acquire(1);
        }
    }

    /**
     * Takes the lock if it is free.
     *
     * @return whether it was
     */
    public boolean tryLock() {
        return compareAndSetState(0, 1);
    }

    /** Lets go of the lock, which the caller holds. */
    public void unlock() {
        release(1);
    }

    @Override
    protected boolean tryAcquire(int unused) {
        return compareAndSetState(0, 1);
    }

    @Override
    protected boolean tryRelease(int unused) {
        setState(0);
        return true;
    }
}
