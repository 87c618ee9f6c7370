/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.util.Locale;

/** What a socket does when its path is chosen. */
public enum Direction {
    /** A client connects; the address and port are the remote ones. */
    CONNECT,
    /** A server accepts; the address is the client's, the port is the server's. */
    ACCEPT,
    /** A server begins to listen; the address and port are its own. */
    BIND;

    /**
     * The word in rules and reports.
     *
     * @return for example {@code connect}
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
