/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Whether a socket of another user has a port, as far as the kernel's table of TCP sockets tells. The table lists
 * sockets that listen or are connected, but not those that are only bound, as an honest peer's is. Reading it takes up
 * to some tens of milliseconds, so this class reads it once a second at most, and does not look up ports of the range
 * that the kernel itself hands out. Thread-safe; reads files.
 */
public final class PortOwners implements Predicate<TcpTable.Row> {
    private static final EphemeralPorts NONE = new EphemeralPorts(EphemeralPorts.MAX_PORT, 0); // all are looked up
    private static final long TRUST_NANOS = 1_000_000_000;

    private record Reading(long atNanos, List<TcpTable.Row> others) { }

    private final String tables; // a folder with the files tcp and tcp6
    private final String rangeFile;
    private final int user;
    private final ReentrantLock lock = new ReentrantLock(); // one thread reads
    private volatile Reading last; // written under lock
    private volatile EphemeralPorts handedOut; // null until first asked for

    /**
     * Asks the kernel of this host.
     *
     * @throws IOException if it does not tell whose process this is
     */
    public PortOwners() throws IOException {
        this("/proc/self/net", EphemeralPorts.FILE, Ownership.userId());
    }

    PortOwners(String tables, String rangeFile, int user) {
        this.tables = tables;
        this.rangeFile = rangeFile;
        this.user = user;
    }

    /**
     * Whether a peer of this user may well have bound that address and port.
     *
     * @param address what the peer claims
     * @param port what the peer claims
     * @return false where another user's socket has it, and for a number that is no port
     */
    public boolean mayBeOurs(InetAddress address, int port) {
        if (port <= 0 || port > EphemeralPorts.MAX_PORT) {
            return false;
        }
        EphemeralPorts range = handedOut;
        if (range == null) {
            range = EphemeralPorts.read(rangeFile);
            range = range == null ? NONE : range;
            handedOut = range;
        }
        return range.contains(port) || !isAnothers(address, port);
    }

    private boolean isAnothers(InetAddress address, int port) {
        for (TcpTable.Row other : others()) {
            if (other.port() == port && other.isAt(address)) {
                return true;
            }
        }
        return false;
    }

    private List<TcpTable.Row> others() {
        Reading known = last;
        if (known != null && System.nanoTime() - known.atNanos() < TRUST_NANOS) {
            return known.others();
        }
        lock.lock();
        try {
            if (last == known) {
                last = new Reading(System.nanoTime(), TcpTable.read(tables, Integer.MAX_VALUE, this));
            }
            return last.others();
        } finally {
            lock.unlock();
        }
    }

    /** Which rows count. A socket without an inode is nobody's any more: the kernel shows user 0 then. */
    @Override
    public boolean test(TcpTable.Row row) {
        return row.inode() != 0 && row.user() != user;
    }
}
