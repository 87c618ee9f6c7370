/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.Locale;

/** An end of the connections. */
public enum Side {
    /** The JVM that connects. */
    CLIENT,
    /** The JVM that listens. */
    SERVER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
