/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The kernel's table of TCP sockets, {@code /proc/self/net/tcp} and {@code tcp6}. Stateless; reads files. */
public final class TcpTable {
    /** The state of a socket that listens. */
    public static final int LISTEN = 0x0A;
    private static final Log LOG = Log.of(TcpTable.class);
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int UID = 7;
    private static final int INODE = 9;
    private static final int COLUMNS = 10;
    private static final int HEX = 16;

    /**
     * A socket.
     *
     * @param address its local address as the table shows it: words of 32 bits in the host's order
     * @param port its local port
     * @param state for example {@link #LISTEN}
     * @param user the number of its owner
     * @param inode 0 where it is nobody's any more
     */
    public record Row(String address, int port, int state, int user, long inode) {
        /**
         * Whether the address is a certain one, or a wildcard that takes it in.
         *
         * @param other that one
         * @return true if so
         */
        public boolean isAt(InetAddress other) {
            int bytes = address.length() / 2;
            byte[] raw = other.getAddress();
            boolean wildcard = true;
            boolean same = bytes == raw.length || bytes == 2 * Long.BYTES && isMapped(address);
            for (int i = 0; i < bytes; i++) {
                int at = 2 * (i & ~3) + 2 * (3 - (i & 3)); // little-endian: the JVM's machines that shm knows
                int value = Integer.parseInt(address.substring(at, at + 2), HEX);
                wildcard &= value == 0;
                int own = i - (bytes - raw.length);
                same &= own < 0 || (raw[own] & 0xff) == value;
            }
            return same || wildcard && (bytes > Integer.BYTES || other instanceof Inet4Address);
        }
    }

    private TcpTable() { }

    /**
     * Reads both tables.
     *
     * @param folder which has them
     * @param most how many lines to read of each
     * @param filter says which to keep
     * @return those; what cannot be read is left out
     */
    public static List<Row> read(String folder, int most, Predicate<Row> filter) {
        List<Row> rows = new ArrayList<>();
        read(folder + "/tcp", most, filter, rows);
        read(folder + "/tcp6", most, filter, rows);
        return rows;
    }

    private static void read(String table, int most, Predicate<Row> filter, List<Row> rows) {
        try (BufferedReader reader = new BufferedReader(new FileReader(table, StandardCharsets.US_ASCII))) {
            reader.readLine(); // the names of the columns
            String[] columns = new String[COLUMNS];
            int left = most;
            for (String line = reader.readLine(); line != null && left > 0; line = reader.readLine()) {
                left--;
                Row row = split(line, columns) == COLUMNS ? row(columns) : null;
                if (row != null && filter.test(row)) {
                    rows.add(row);
                }
            }
        } catch (IOException | NumberFormatException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot tell whose ports they are", e);
        }
    }

    private static Row row(String[] columns) {
        int colon = columns[LOCAL].indexOf(':');
        return colon <= 0 ? null : new Row(columns[LOCAL].substring(0, colon),
                Integer.parseInt(columns[LOCAL].substring(colon + 1), HEX), Integer.parseInt(columns[STATE], HEX),
                (int) Long.parseLong(columns[UID]), Long.parseLong(columns[INODE]));
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

    private static boolean isMapped(String hex) {
        return hex.startsWith("0000000000000000FFFF0000");
    }
}
