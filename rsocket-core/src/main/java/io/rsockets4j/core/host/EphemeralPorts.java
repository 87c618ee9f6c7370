/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The range of ports that the kernel itself gives to sockets which ask for none. Immutable.
 *
 * @param first the lowest
 * @param last the highest
 */
public record EphemeralPorts(int first, int last) {
    /** The highest port there is. */
    public static final int MAX_PORT = 65_535;

    static final String FILE = "/proc/sys/net/ipv4/ip_local_port_range";
    private static final Log LOG = Log.of(EphemeralPorts.class);

    /**
     * Reads this host's range.
     *
     * @return null where it cannot be read
     */
    public static EphemeralPorts ofKernel() {
        return read(FILE);
    }

    /** Reads a file by one system call: such a file begins and ends with the first one. */
    static EphemeralPorts read(String file) {
        try (BufferedReader reader = new BufferedReader(new FileReader(file, StandardCharsets.US_ASCII))) {
            String line = String.valueOf(reader.readLine()).trim();
            int first = 0;
            while (first < line.length() && Character.isDigit(line.charAt(first))) {
                first++;
            }
            return new EphemeralPorts(Integer.parseInt(line.substring(0, first)),
                    Integer.parseInt(line.substring(first).trim()));
        } catch (IOException | NumberFormatException e) {
            LOG.log(System.Logger.Level.DEBUG, "the kernel's range of ports is unknown", e);
            return null;
        }
    }

    /**
     * Whether a port is one of them.
     *
     * @param port any
     * @return true if so
     */
    public boolean contains(int port) {
        return port >= first && port <= last;
    }
}
