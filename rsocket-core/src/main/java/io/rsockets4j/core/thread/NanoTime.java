/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.thread;

import java.util.function.LongSupplier;

/** The clock {@link System#nanoTime}. A class rather than a lambda, which would cost every program at its start. */
public final class NanoTime implements LongSupplier {
    /** Creates it. */
    public NanoTime() { }

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
