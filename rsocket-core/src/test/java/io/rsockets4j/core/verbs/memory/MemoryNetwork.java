/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Hosts, and what connects them. One thread carries everything that is posted, in order within a queue pair; with a
 * delay each queue pair has its own, so that what is posted to several arrives in another order. Thread-safe.
 *
 * <p>Tests make hosts, set how the network behaves before connecting, break what is to break, and ask for the {@link
 * #violations} in the end.
 */
public final class MemoryNetwork implements AutoCloseable {
    private static final int FIRST_EPHEMERAL_PORT = 49152;

    private final ReentrantLock lock = new ReentrantLock();
    private final Regions regions = new Regions();
    private final Wire wire = new Wire(this);
    private final List<MemoryHost> hosts = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Violation> violations = new ConcurrentLinkedQueue<>();
    private final Map<InetAddress, ConnectFault> faults = new ConcurrentHashMap<>();
    private volatile long retryNanos = TimeUnit.MILLISECONDS.toNanos(20);
    private volatile long minDelayNanos;
    private volatile long maxDelayNanos;

    // guarded by lock
    private final List<MemoryCmId> ids = new ArrayList<>();
    private final Set<InetAddress> cut = new HashSet<>();
    private final Random random = new Random(1);
    private int nextNumber = 17;
    private int nextPort = FIRST_EPHEMERAL_PORT;

    /** Creates a host; without addresses it has every one that no other host has. */
    public MemoryHost host(String name, InetAddress... addresses) {
        MemoryHost host = new MemoryHost(this, name, List.of(addresses));
        hosts.add(host);
        return host;
    }

    /** Every request takes a random time in these bounds to arrive, in order within a queue pair. */
    public void delay(long seed, long minNanos, long maxNanos) {
        lock.lock();
        try {
            random.setSeed(seed);
            minDelayNanos = minNanos;
            maxDelayNanos = maxNanos;
        } finally {
            lock.unlock();
        }
    }

    /** How long a request is sent again before it completes with RETRIES_EXCEEDED. */
    public void retryNanos(long newRetryNanos) {
        retryNanos = newRetryNanos;
    }

    /** From now on connecting to an address fails so; null for no more. */
    public void fault(InetAddress address, ConnectFault fault) {
        if (fault == null) {
            faults.remove(address);
        } else {
            faults.put(address, fault);
        }
    }

    /**
     * Cuts the cable at an address, or mends it. While it is cut nothing arrives that goes from there or to there, by
     * queue pairs that are connected already as well: their requests end after {@link #retryNanos} unless it is mended
     * by then, connects end by UNREACHABLE at once, whether asked or answered now, and no peer hears of a disconnect.
     * Addresses are resolved all the same, as from a cache.
     */
    public void cut(InetAddress address, boolean isCut) {
        lock.lock();
        try {
            if (isCut) {
                cut.add(address);
            } else {
                cut.remove(address);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops carrying, or goes on. What is being carried may still arrive. */
    public void pause(boolean paused) {
        wire.pause(paused);
    }

    /** What was recorded so far. */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Those of a kind. */
    public List<Violation> violations(Violation.Kind kind) {
        return violations.stream().filter(violation -> violation.kind() == kind).toList();
    }

    /** The queue pairs that were not destroyed, oldest first. */
    public List<MemoryQueuePair> queuePairs() {
        lock.lock();
        try {
            return ids.stream().map(MemoryCmId::queuePair).filter(queuePair -> queuePair != null).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the network's thread; nothing is carried any more. */
    @Override
    public void close() {
        wire.close();
    }

    // ---- for the package

    ReentrantLock lock() {
        return lock;
    }

    Regions regions() {
        return regions;
    }

    Wire wire() {
        return wire;
    }

    void record(Violation.Kind kind, String what) {
        violations.add(new Violation(kind, what));
    }

    long retryNanos() {
        return retryNanos;
    }

    long minDelayNanos() {
        return minDelayNanos;
    }

    long maxDelayNanos() {
        return maxDelayNanos;
    }

    ConnectFault fault(InetAddress address) {
        return faults.get(address);
    }

    // ---- under the lock

    Random nextRandom() {
        return new Random(random.nextLong());
    }

    int nextNumber() {
        return nextNumber++;
    }

    int nextPort() {
        nextPort = nextPort == 0xffff ? FIRST_EPHEMERAL_PORT : nextPort + 1;
        return nextPort;
    }

    void add(MemoryCmId id) {
        ids.add(id);
    }

    void remove(MemoryCmId id) {
        ids.remove(id);
    }

    /** Whether nothing goes between two addresses. */
    boolean isCut(InetAddress one, InetAddress other) {
        return cut.contains(one) || cut.contains(other);
    }

    /** The host that has an address, seen from another one; or null. */
    MemoryHost hostOf(InetAddress address, MemoryHost from) {
        for (MemoryHost host : hosts) {
            if (!host.hasEveryAddress() && host.deviceWith(address) != null) {
                return host;
            }
        }
        if (from.hasEveryAddress()) {
            return from;
        }
        return hosts.stream().filter(MemoryHost::hasEveryAddress).findFirst().orElse(null);
    }

    /** Who listens at an address of a host, or has bound it; or null. */
    MemoryCmId bound(MemoryHost host, InetSocketAddress address) {
        for (MemoryCmId id : ids) {
            if (id.host() == host && id.isBoundTo(address)) {
                return id;
            }
        }
        return null;
    }

    /** These identifiers have lost their device. */
    void deviceRemoved(Predicate<MemoryCmId> which) {
        lock.lock();
        try {
            ids.stream().filter(which).toList().forEach(MemoryCmId::deviceRemoved);
        } finally {
            lock.unlock();
        }
    }
}
