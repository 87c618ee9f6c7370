/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.VerbsDevice;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** All that the sessions of one device share. Thread-safe. */
final class RdmaDevice {
    private static final int QUEUE_ENTRIES = 1 << 14;

    private final VerbsDevice device;
    private final CmThread cm;
    private final long idleNanos;
    private final LinkTable links = new LinkTable();
    private final CompletionThread thread;
    private final CompletionChannel channel;
    private final CompletionFront front; // null where the channel has none
    private final boolean immediate;
    private final PinBudget budget;
    private final ReentrantLock lock = new ReentrantLock(); // held while a completion queue is added

    /**
     * Takes a device into use.
     *
     * @param device open
     * @param immediate whether immediate data may be used if the device knows it
     * @param cm where to look for memory that nobody uses
     * @param idleNanos how often
     * @param budget of the process
     */
    RdmaDevice(VerbsDevice device, boolean immediate, CmThread cm, long idleNanos, PinBudget budget)
            throws IOException {
        this.device = device;
        this.cm = cm;
        this.idleNanos = idleNanos;
        this.budget = budget;
        this.immediate = immediate && device.hasImmediate();
        channel = device.createCompletionChannel();
        thread = new CompletionThread(channel, device.name());
        front = channel.hasFront() ? new CompletionFront(channel, thread) : null;
    }

    String name() {
        return device.name();
    }

    /**
     * Registers what a new link needs.
     *
     * @throws IOException if there is no memory, or not so much may be pinned
     */
    LinkMemory newMemory() throws IOException {
        return new LinkMemory(device, budget);
    }

    /** What the process may pin. */
    PinBudget budget() {
        return budget;
    }

    /** Destroys an identifier and its queue pair; no event of it is served any more. */
    void destroy(CmId id) {
        cm.forget(id);
        id.destroy();
    }

    /** Gives up the memory that a session has not used for a time. */
    void trimLater(SessionMemory memory) {
        if (memory.beginTrimming()) {
            cm.schedule(idleNanos, () -> {
                if (memory.trim()) {
                    trimLater(memory);
                }
            });
        }
    }

    LinkTable links() {
        return links;
    }

    boolean hasImmediate() {
        return immediate;
    }

    /** Reserves room in a completion queue for one more session. */
    CompletionPoller poller() throws IOException {
        lock.lock();
        try {
            for (CompletionPoller poller : thread.pollers()) {
                if (poller.reserve(QueueSizes.COMPLETIONS)) {
                    return poller;
                }
            }
            return addPoller();
        } finally {
            lock.unlock();
        }
    }

    private CompletionPoller addPoller() throws IOException {
        int entries = Math.min(device.maxCompletions(), QUEUE_ENTRIES);
        CompletionPoller poller =
                new CompletionPoller(device.createCompletionQueue(channel, entries), links, entries, channel::wakeup);
        if (!poller.reserve(QueueSizes.COMPLETIONS)) {
            throw new IOException(device.name() + ": completion queues of " + entries + " entries are too small");
        }
        thread.add(poller);
        return poller;
    }

    /** Where one thread can sleep in front of the thread that looks after completions; null where it cannot. */
    CompletionFront front() {
        return front;
    }

    /** Whether nobody looks after completions any more, so that new sessions need another one of these. */
    boolean hasEnded() {
        return thread.hasEnded();
    }

    /** The JVM ends: what this waits for by itself it looks for. */
    void exit() {
        thread.exit();
    }

    /** Looks for completions. */
    void poll() {
        for (CompletionPoller poller : thread.pollers()) {
            poller.poll();
        }
    }

    /** The calling thread looks no more. */
    void arm() {
        for (CompletionPoller poller : thread.pollers()) {
            poller.arm();
        }
    }
}
