/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A wait that can be ended from outside, made of short waits in native code that cannot: DiSNI offers no descriptor to
 * wait on together with a pipe of ours. One thread waits; {@link #wakeup} is for any.
 */
final class SlicedWait {
    /** How late {@link #wakeup} may come, and so what an idle wait costs: twenty system calls a second. */
    static final int SLICE_MILLIS = 50;

    /** DiSNI does not tell a broken channel from a timeout: a broken one returns at once, again and again. */
    private static final int BROKEN_AFTER = 1000;
    private static final long AT_ONCE_NANOS = 200_000;

    /** What is waited for. */
    interface Source {
        /** Whether there is an event, after at most this long. */
        boolean poll(int millis) throws IOException;
    }

    private final String verb;
    private final Source source;
    private volatile boolean woken;

    /**
     * Creates a wait.
     *
     * @param verb the function that waits, for messages
     * @param source what is waited for
     */
    SlicedWait(String verb, Source source) {
        this.verb = verb;
        this.source = source;
    }

    /**
     * Waits.
     *
     * @param timeoutMillis 0 does not wait, -1 waits without limit
     * @return whether there is an event, rather than a timeout or a wake-up
     * @throws IOException if the source fails
     */
    boolean await(int timeoutMillis) throws IOException {
        long start = System.nanoTime();
        long now = start;
        int failures = 0;
        while (true) {
            int slice = woken ? 0 : slice(timeoutMillis, now - start);
            if (source.poll(slice)) {
                return true;
            }
            if (woken) {
                woken = false; // what the waker did before is seen by the caller: woken is volatile
                return false;
            }
            if (slice == 0) {
                return false;
            }
            long before = now;
            now = System.nanoTime();
            failures = now - before < AT_ONCE_NANOS ? failures + 1 : 0;
            if (failures == BROKEN_AFTER) {
                throw new VerbsException(verb, 0, "returns at once again and again without an event");
            }
        }
    }

    private static int slice(int timeoutMillis, long waitedNanos) {
        if (timeoutMillis < 0) {
            return SLICE_MILLIS;
        }
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis) - waitedNanos;
        return left <= 0 ? 0 : (int) Math.min(SLICE_MILLIS, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    /** Ends the wait, now or the next one. */
    void wakeup() {
        woken = true;
    }
}
