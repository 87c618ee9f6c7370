/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.util.Locale;

/** Which ways the bytes of a stream over shared memory take; other than dynamic for measurements. */
enum Transfers {
    /** Straight into the buffer of a receive that waits, else by the ring. */
    DYNAMIC,
    /** Straight into buffers alone: sends wait for receives. */
    DIRECT,
    /** By the ring alone. */
    RING;

    private static final String PROPERTY = "io.rsockets4j.exs.transfers";

    /** As of now. */
    static Transfers chosen() {
        String text = System.getProperty(PROPERTY, DYNAMIC.name());
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
