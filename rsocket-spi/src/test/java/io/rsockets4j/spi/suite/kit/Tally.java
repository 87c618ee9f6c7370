/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts the cases per fabric. Guarded by its class's lock. */
final class Tally {
    private static final Map<String, Tally> BY_FABRIC = new TreeMap<>();

    private int run;
    private int skipped;
    private final Map<Capability, Integer> causes = new EnumMap<>(Capability.class);

    private Tally() {
    }

    /** Counts a case as run, or as skipped when a capability is missing. */
    static synchronized void count(String fabric, Set<Capability> missing) {
        Tally tally = BY_FABRIC.computeIfAbsent(fabric, key -> new Tally());
        if (missing.isEmpty()) {
            tally.run++;
        } else {
            tally.skipped++;
            missing.forEach(cause -> tally.causes.merge(cause, 1, Integer::sum));
        }
    }

    /** Prints one line per fabric, and starts anew. */
    static synchronized void print() {
        BY_FABRIC.forEach((fabric, tally) -> System.out.println("suite " + fabric + ": " + tally));
        BY_FABRIC.clear();
    }

    @Override
    public String toString() {
        return run + " run, " + skipped + " skipped" + (causes.isEmpty() ? "" : " " + causes);
    }
}
