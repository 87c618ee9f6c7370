/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

/**
 * Some ports in a row.
 *
 * @param first the lowest
 * @param last the highest, not below the first
 */
record PortRange(int first, int last) {
    static final int MAX = 65_535;
    static final PortRange ALL = new PortRange(0, MAX);

    boolean contains(int port) {
        return port >= first && port <= last;
    }

    boolean covers(PortRange other) {
        return first <= other.first && last >= other.last;
    }
}
