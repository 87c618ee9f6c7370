/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.util.List;

/**
 * The Java that runs: old enough for nothing, or new enough for RDMA without further libraries.
 *
 * @param version of this JVM
 * @param rdmaWanted whether a lack of RDMA matters
 */
record JavaCheck(Runtime.Version version, boolean rdmaWanted) implements Check {
    private static final String SUBJECT = "java";
    private static final int OLDEST = 17;
    private static final int FOREIGN_FUNCTIONS = 22;

    @Override
    public List<Finding> run() {
        String found = "Java " + version;
        if (version.feature() < OLDEST) {
            return List.of(Finding.error(SUBJECT, found, "Java " + OLDEST + " or later is needed.",
                    "install a JDK of version 17 or later, of your distribution or from https://adoptium.net"));
        }
        if (version.feature() < FOREIGN_FUNCTIONS) {
            return List.of(Finding.lack(rdmaWanted, SUBJECT, found, "Path rdma needs DiSNI here; from Java "
                    + FOREIGN_FUNCTIONS + " on it needs nothing but the system's libraries.",
                    "install a JDK of version 22 or later, of your distribution or from https://adoptium.net"));
        }
        return List.of(Finding.ok(SUBJECT, found));
    }
}
