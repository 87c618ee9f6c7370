/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

/**
 * A send or receive queue: its user posts, the network takes, and slots come back when a completion is polled, which
 * stands for all earlier requests as well.
 */
final class WorkQueue {
    private final WorkRequest[] slots;
    private volatile long posted; // written by the user
    private long taken; // guarded by the network's lock
    private volatile long reclaimed; // written by whoever polls

    WorkQueue(int capacity, int inlineBytes) {
        slots = new WorkRequest[capacity];
        for (int i = 0; i < capacity; i++) {
            slots[i] = new WorkRequest(inlineBytes);
        }
    }

    /** A free slot to be filled and published, or null. */
    WorkRequest claim() {
        if (posted - reclaimed >= slots.length) { // acquire: pairs with reclaim
            return null;
        }
        WorkRequest request = slots[(int) (posted % slots.length)];
        request.sequence = posted;
        request.retried = false;
        request.dueNanos = 0;
        return request;
    }

    void publish() {
        posted = posted + 1; // release: pairs with peek
    }

    /** The oldest request that was not taken, or null. Under the network's lock. */
    WorkRequest peek() {
        return taken < posted ? slots[(int) (taken % slots.length)] : null; // acquire: pairs with publish
    }

    /** Takes what {@link #peek} returned. Its slot stays in use. Under the network's lock. */
    void take() {
        taken++;
    }

    /** The bytes of all requests that were not taken. Under the network's lock. */
    long waitingBytes() {
        long bytes = 0;
        for (long i = taken; i < posted; i++) {
            bytes += slots[(int) (i % slots.length)].length;
        }
        return bytes;
    }

    /** The completion of a request was polled. */
    void reclaim(long sequence) {
        reclaimed = sequence + 1; // release: pairs with claim
    }
}
