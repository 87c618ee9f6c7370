/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which peers did not take a path lately, by address and port, so that not every connect asks them again. When the
 * time is over, one connect asks, and the others take no notice until it has an answer. Bounded; thread-safe; never
 * blocks.
 */
final class PeerMemory {
    static final int MAX_PEERS = 4096;

    private final long forNanos;
    private final LongSupplier nanoTime;
    private final Map<PeerKey, Long> untilNanos = new ConcurrentHashMap<>();

    /**
     * Creates an empty memory.
     *
     * @param forNanos how long a refusal counts; 0 remembers nothing
     * @param nanoTime the clock, as {@link System#nanoTime}
     */
    PeerMemory(long forNanos, LongSupplier nanoTime) {
        this.forNanos = forNanos;
        this.nanoTime = nanoTime;
    }

    /** Whether a peer is not worth asking now. If its time was over it begins anew, and the caller is to ask. */
    boolean isRefused(String path, InetSocketAddress peer) {
        if (untilNanos.isEmpty()) {
            return false;
        }
        PeerKey key = new PeerKey(path, peer);
        Long until = untilNanos.get(key);
        if (until == null) {
            return false;
        }
        long now = nanoTime.getAsLong();
        return until - now > 0 || !untilNanos.replace(key, until, now + forNanos); // only one caller replaces it
    }

    /** A peer did not take a path. */
    void refused(String path, InetSocketAddress peer) {
        if (forNanos == 0) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (untilNanos.size() >= MAX_PEERS) {
            makeRoom(now);
        }
        untilNanos.put(new PeerKey(path, peer), now + forNanos);
    }

    /** A peer did take a path, or was not there at all. */
    void forget(String path, InetSocketAddress peer) {
        if (!untilNanos.isEmpty()) {
            untilNanos.remove(new PeerKey(path, peer));
        }
    }

    /**
     * Forgets refusals that are over, or all of them: a process that connects to so many peers asks each of them
     * rarely.
     */
    private void makeRoom(long now) {
        untilNanos.values().removeIf(until -> until - now <= 0);
        if (untilNanos.size() >= MAX_PEERS) {
            untilNanos.clear();
        }
    }
}
