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

    /** Reads {@code *}, a port, or a range of ports. */
    static PortRange parse(Token token) {
        String text = token.text();
        if (text.equals("*")) {
            return ALL;
        }
        int dash = text.indexOf('-');
        if (dash < 0) {
            int port = port(token, 0, text);
            return new PortRange(port, port);
        }
        int first = port(token, 0, text.substring(0, dash));
        int last = port(token, dash + 1, text.substring(dash + 1));
        if (first > last) {
            throw new RuleMistakeException(token.position(), "the range " + text + " is empty, because it ends before"
                    + " it begins; write " + last + "-" + first);
        }
        return new PortRange(first, last);
    }

    private static int port(Token token, int index, String text) {
        if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new RuleMistakeException(token.at(index), "'" + text + "' is not a port; write a number from 1 to "
                    + MAX + ", a range as 5000-5999, or * for all");
        }
        int port = Integer.parseInt(text);
        if (port < 1 || port > MAX) {
            throw new RuleMistakeException(token.at(index), "port " + text + " is outside 1 to " + MAX);
        }
        return port;
    }

    boolean contains(int port) {
        return port >= first && port <= last;
    }

    boolean covers(PortRange other) {
        return first <= other.first && last >= other.last;
    }
}
