/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Registered memory for the connections of a device, in slabs: setting up a connection takes a slot and registers
 * nothing, but for the first ones. Each peer host has a protection domain of its own, so that a key works by that
 * host's connections alone; and each ring has its own key. Slabs that nobody uses are given up at the second look after
 * that. Thread-safe.
 */
final class RingPool {
    private static final Log LOG = Log.of(RingPool.class);
    private static final long MIN_SLAB_BYTES = 1 << 20;
    private static final long MAX_SLAB_BYTES = 4 << 20;

    private final VerbsDevice device;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Share> shares = new HashMap<>(); // guarded by lock

    /** Whose memory it is: peers that cannot be told apart share theirs. */
    private record Key(InetAddress peer, int ringBytes) { }

    /** What a connection gets. */
    record Lease(RingSlot slot, ProtectionDomain domain) { }

    /** What there is for a peer: none is kept without slabs. */
    private static final class Share {
        private final ProtectionDomain domain;
        private final List<RingSlab> slabs = new ArrayList<>();

        Share(ProtectionDomain domain) {
            this.domain = domain;
        }
    }

    RingPool(VerbsDevice device) {
        this.device = device;
    }

    /**
     * Takes a slot.
     *
     * @param peer the other host, or null where it is not known
     * @param ringBytes the size of its ring; few sizes are ever asked for
     * @throws IOException if there is no memory, or not so much may be pinned
     */
    Lease take(InetAddress peer, int ringBytes) throws IOException {
        lock.lock();
        try {
            Key key = new Key(peer, ringBytes);
            Share share = shares.get(key);
            if (share == null) {
                share = new Share(device.allocateProtectionDomain());
                shares.put(key, share);
            }
            try {
                return new Lease(take(share, ringBytes), share.domain);
            } finally {
                giveUpEmpty(key, share);
            }
        } finally {
            lock.unlock();
        }
    }

    private static RingSlot take(Share share, int ringBytes) throws IOException {
        long bytes = 0;
        for (RingSlab slab : share.slabs) {
            RingSlot slot = slab.take();
            if (slot != null) {
                return slot;
            }
            bytes += slab.bytes();
        }
        long wanted = Math.min(Math.max(bytes, MIN_SLAB_BYTES), MAX_SLAB_BYTES);
        RingSlab slab = new RingSlab(share.domain, ringBytes, wanted);
        share.slabs.add(slab);
        return slab.take();
    }

    /** Gives a slot back, once no queue pair can touch it any more. */
    void giveBack(RingSlot slot) {
        lock.lock();
        try {
            for (Share share : shares.values()) {
                for (RingSlab slab : share.slabs) {
                    if (slab.giveBack(slot)) {
                        return;
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives up what nobody used since the last call. Returns whether anything is left. */
    boolean trim() {
        lock.lock();
        try {
            for (Key key : List.copyOf(shares.keySet())) {
                Share share = shares.get(key);
                for (Iterator<RingSlab> slabs = share.slabs.iterator(); slabs.hasNext();) {
                    RingSlab slab = slabs.next();
                    if (slab.isIdle()) {
                        slabs.remove();
                        giveUp(slab::release);
                    }
                }
                giveUpEmpty(key, share);
            }
            return !shares.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void giveUpEmpty(Key key, Share share) {
        if (share.slabs.isEmpty()) {
            shares.remove(key);
            giveUp(share.domain::deallocate);
        }
    }

    /** Something to give up. */
    private interface Resource {
        void release() throws IOException;
    }

    private void giveUp(Resource resource) {
        try {
            resource.release();
        } catch (IOException e) { // it stays with the device; the rest is given up all the same
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + device.name() + " keeps memory: " + e.getMessage());
        }
    }
}
