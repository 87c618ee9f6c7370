/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.CompletionStatus;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A completion queue: one thread polls, the network adds under its lock. Slots of work queues come back when the
 * completion is polled, not before, as with devices. An event comes only for what completes after it was asked for.
 */
final class MemoryCompletionQueue implements CompletionQueue {
    private static final int BATCH = 32;
    private static final int VENDOR_ERROR = 0x88;

    private final MemoryDevice device;
    private final MemoryNetwork network;
    private final MemoryCompletionChannel channel;
    private final Completion[] ring;
    private final Completion[] batch = completions(BATCH);
    private final Exclusive polling;
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile long added; // written under the network's lock
    private volatile long polled; // written by whoever polls
    private volatile String broken;

    private static final class Completion {
        private long workRequestId;
        private int status;
        private boolean hasImmediate;
        private int immediate;
        private int byteLength;
        private WorkQueue queue;
        private long sequence;

        private void set(Completion other) {
            workRequestId = other.workRequestId;
            status = other.status;
            hasImmediate = other.hasImmediate;
            immediate = other.immediate;
            byteLength = other.byteLength;
        }
    }

    MemoryCompletionQueue(MemoryDevice device, MemoryCompletionChannel channel, int entries) {
        this.device = device;
        network = device.host().network();
        this.channel = channel;
        ring = completions(entries);
        polling = new Exclusive(network, "completion queue");
    }

    private static Completion[] completions(int count) {
        Completion[] completions = new Completion[count];
        for (int i = 0; i < count; i++) {
            completions[i] = new Completion();
        }
        return completions;
    }

    MemoryDevice device() {
        return device;
    }

    /** Completes the oldest work request of a queue that was taken. Under the network's lock. */
    void add(WorkQueue queue, WorkRequest request, int status) {
        add(queue, request, status, 0, false, 0);
    }

    /** Completes a receive. Under the network's lock. */
    void add(WorkQueue queue, WorkRequest request, int status, int byteLength, boolean hasImmediate, int immediate) {
        long at = added;
        if (at - polled >= ring.length) { // acquire: pairs with poll
            broken = "ibv_poll_cq: completion queue of " + ring.length + " entries overflowed";
            network.record(Violation.Kind.COMPLETION_OVERFLOW, broken);
            return;
        }
        Completion completion = ring[(int) (at % ring.length)];
        completion.workRequestId = request.id;
        completion.status = status;
        completion.byteLength = byteLength;
        completion.hasImmediate = hasImmediate;
        completion.immediate = immediate;
        completion.queue = queue;
        completion.sequence = request.sequence;
        added = at + 1; // release: pairs with poll
        if (armed.get() && armed.getAndSet(false)) {
            channel.announce(this);
        }
    }

    /** The device is gone. */
    void fail(String cause) {
        broken = cause;
        if (armed.getAndSet(false)) {
            channel.announce(this);
        }
    }

    @Override
    public int poll() throws IOException {
        polling.enter();
        try {
            if (broken != null) {
                throw new IOException(broken);
            }
            long from = polled;
            int count = (int) Math.min(added - from, BATCH); // acquire: pairs with add
            for (int i = 0; i < count; i++) {
                Completion completion = ring[(int) ((from + i) % ring.length)];
                batch[i].set(completion);
                completion.queue.reclaim(completion.sequence);
                completion.queue = null;
            }
            if (count > 0) {
                polled = from + count; // release: pairs with add, which uses the entries again
            }
            return count;
        } finally {
            polling.leave();
        }
    }

    @Override
    public void requestNotification() throws IOException {
        polling.enter();
        try {
            if (broken != null) {
                throw new IOException(broken);
            }
            armed.set(true);
        } finally {
            polling.leave();
        }
    }

    @Override
    public long workRequestId(int index) {
        return batch[index].workRequestId;
    }

    @Override
    public int status(int index) {
        return batch[index].status;
    }

    @Override
    public int vendorError(int index) {
        return batch[index].status == CompletionStatus.SUCCESS ? 0 : VENDOR_ERROR;
    }

    @Override
    public boolean hasImmediate(int index) {
        return batch[index].hasImmediate;
    }

    @Override
    public int immediate(int index) {
        return batch[index].immediate;
    }

    @Override
    public int byteLength(int index) {
        return batch[index].byteLength;
    }
}
