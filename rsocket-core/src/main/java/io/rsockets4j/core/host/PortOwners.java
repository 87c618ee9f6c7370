/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
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
    private static final Log LOG = Log.of(PortOwners.class);
    private static final String RANGE = "/proc/sys/net/ipv4/ip_local_port_range";
    private static final int MAX_PORT = 65_535;
    private static final long TRUST_NANOS = 1_000_000_000;

    private record Table(long readNanos, List<TcpTable.Row> others) { }

    private final String tables; // a folder with the files tcp and tcp6
    private final String range;
    private final int user;
    private final ReentrantLock lock = new ReentrantLock(); // one thread reads
    private volatile Table last; // written under lock
    private volatile int[] handedOut; // first and last port; null until first asked for

    /**
     * Asks the kernel of this host.
     *
     * @throws IOException if it does not tell whose process this is
     */
    public PortOwners() throws IOException {
        this("/proc/self/net", RANGE, Ownership.userId());
    }

    PortOwners(String tables, String range, int user) {
        this.tables = tables;
        this.range = range;
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
        if (port <= 0 || port > MAX_PORT) {
            return false;
        }
        int[] between = handedOut;
        if (between == null) {
            between = readRange();
            handedOut = between;
        }
        return port >= between[0] && port <= between[1] || !isAnothers(address, port);
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
        Table table = last;
        if (table != null && System.nanoTime() - table.readNanos() < TRUST_NANOS) {
            return table.others();
        }
        lock.lock();
        try {
            if (last == table) {
                last = new Table(System.nanoTime(), TcpTable.read(tables, Integer.MAX_VALUE, this));
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

    private int[] readRange() {
        try (BufferedReader reader = new BufferedReader(new FileReader(range, StandardCharsets.US_ASCII))) {
            String line = String.valueOf(reader.readLine()).trim();
            int first = 0;
            while (first < line.length() && Character.isDigit(line.charAt(first))) {
                first++;
            }
            return new int[] {Integer.parseInt(line.substring(0, first)),
                Integer.parseInt(line.substring(first).trim())};
        } catch (IOException | NumberFormatException e) {
            LOG.log(System.Logger.Level.DEBUG, "all ports are looked up", e);
            return new int[] {MAX_PORT, 0};
        }
    }
}
