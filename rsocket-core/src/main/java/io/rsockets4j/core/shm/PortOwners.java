/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.log.Log;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether a port is a socket's of another user, as far as the kernel's table of TCP sockets tells. It lists those that
 * listen or are connected; not those that are bound alone, as that of an honest peer is. To read it takes up to some
 * tens of milliseconds, so it is read once a second at most, and ports of the range that the kernel itself hands out,
 * which mean nothing to anyone, are not looked up. Thread-safe; reads files.
 */
final class PortOwners {
    private static final Log LOG = Log.of(PortOwners.class);
    private static final String RANGE = "/proc/sys/net/ipv4/ip_local_port_range";
    private static final int MAX_PORT = 65_535;
    private static final int LOCAL = 1;
    private static final int UID = 7;
    private static final int INODE = 9;
    private static final int COLUMNS = 10;
    private static final int HEX = 16;
    private static final long TRUST_NANOS = 1_000_000_000;

    /** A socket of another user; its address as the table shows it. */
    private record Other(int port, String address) { }

    private record Table(long readNanos, List<Other> others) { }

    private final String tables; // a folder with the files tcp and tcp6
    private final String range;
    private final int user;
    private final ReentrantLock lock = new ReentrantLock(); // one thread reads
    private volatile Table last; // written under lock
    private volatile int[] handedOut; // first and last port; null until first asked for

    /** Asks the kernel of this host. */
    PortOwners() throws IOException {
        this("/proc/self/net", RANGE, Ownership.userId());
    }

    PortOwners(String tables, String range, int user) {
        this.tables = tables;
        this.range = range;
        this.user = user;
    }

    /** Whether a peer of this user may well have bound that address and port. */
    boolean mayBeOurs(InetAddress address, int port) {
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
        for (Other other : others()) {
            if (other.port() == port && isSame(other.address(), address)) {
                return true;
            }
        }
        return false;
    }

    private List<Other> others() {
        Table table = last;
        if (table != null && System.nanoTime() - table.readNanos() < TRUST_NANOS) {
            return table.others();
        }
        lock.lock();
        try {
            if (last == table) {
                List<Other> others = new ArrayList<>();
                read(tables + "/tcp", others);
                read(tables + "/tcp6", others);
                last = new Table(System.nanoTime(), others);
            }
            return last.others();
        } finally {
            lock.unlock();
        }
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

    private void read(String table, List<Other> others) {
        try (BufferedReader reader = new BufferedReader(new FileReader(table, StandardCharsets.US_ASCII))) {
            reader.readLine(); // the names of the columns
            String[] columns = new String[COLUMNS];
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (split(line, columns) == COLUMNS) {
                    addIfAnothers(columns, others);
                }
            }
        } catch (IOException | NumberFormatException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot tell whose ports they are", e);
        }
    }

    /** A socket without an inode is nobody's any more: the kernel shows user 0 then. */
    private void addIfAnothers(String[] columns, List<Other> others) {
        int colon = columns[LOCAL].indexOf(':');
        if (colon > 0 && !columns[INODE].equals("0") && (int) Long.parseLong(columns[UID]) != user) {
            others.add(new Other(Integer.parseInt(columns[LOCAL].substring(colon + 1), HEX),
                    columns[LOCAL].substring(0, colon)));
        }
    }

    private static int split(String line, String[] columns) {
        int count = 0;
        for (int at = 0; count < columns.length && at < line.length();) {
            int end = line.indexOf(' ', at);
            end = end < 0 ? line.length() : end;
            if (end > at) {
                columns[count++] = line.substring(at, end);
            }
            at = end + 1;
        }
        return count;
    }

    /** Whether an address of the table, words of 32 bits in the host's order, is one or a wildcard. */
    private static boolean isSame(String hex, InetAddress address) {
        int bytes = hex.length() / 2;
        byte[] raw = address.getAddress();
        boolean wildcard = true;
        boolean same = bytes == raw.length || bytes == 2 * Long.BYTES && isMapped(hex);
        for (int i = 0; i < bytes; i++) {
            int at = 2 * (i & ~3) + 2 * (3 - (i & 3)); // little-endian: the JVM's machines that shm knows
            int value = Integer.parseInt(hex.substring(at, at + 2), HEX);
            wildcard &= value == 0;
            int own = i - (bytes - raw.length);
            same &= own < 0 || (raw[own] & 0xff) == value;
        }
        return same || wildcard && (bytes > Integer.BYTES || address instanceof Inet4Address);
    }

    private static boolean isMapped(String hex) {
        return hex.startsWith("0000000000000000FFFF0000");
    }
}
