/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** All that the connections of one device share. Thread-safe. */
final class RdmaDevice {
    private static final int QUEUE_ENTRIES = 1 << 14;

    private final VerbsDevice device;
    private final ProtectionDomain domain;
    private final Map<Integer, RingPool> pools = new ConcurrentHashMap<>(); // by the size of a ring
    private final ConnectionTable connections = new ConnectionTable();
    private final CompletionThread thread;
    private final CompletionChannel channel;
    private final boolean immediate;
    private final ReentrantLock lock = new ReentrantLock(); // held while a completion queue is added

    /**
     * Takes a device into use.
     *
     * @param device open
     * @param immediate whether immediate data may be used if the device knows it
     */
    RdmaDevice(VerbsDevice device, boolean immediate) throws IOException {
        this.device = device;
        this.immediate = immediate && device.hasImmediate();
        domain = device.allocateProtectionDomain();
        channel = device.createCompletionChannel();
        thread = new CompletionThread(channel, device.name());
    }

    ProtectionDomain domain() {
        return domain;
    }

    /** Slots with rings of a size. Few sizes are ever asked for. */
    RingPool pool(int ringBytes) {
        return pools.computeIfAbsent(ringBytes, size -> new RingPool(domain, size));
    }

    ConnectionTable connections() {
        return connections;
    }

    boolean hasImmediate() {
        return immediate;
    }

    /** Reserves room in a completion queue for one more connection. */
    CompletionPoller poller() throws IOException {
        lock.lock();
        try {
            for (CompletionPoller poller : thread.pollers()) {
                if (poller.reserve(RdmaConnection.COMPLETIONS)) {
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
                new CompletionPoller(device.createCompletionQueue(channel, entries), connections, entries);
        if (!poller.reserve(RdmaConnection.COMPLETIONS)) {
            throw new IOException(device.name() + ": completion queues of " + entries + " entries are too small");
        }
        thread.add(poller);
        return poller;
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
