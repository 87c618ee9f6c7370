/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The limit that usually is the cause when a verb runs out of memory. */
final class LockedMemory {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String NAME = "Max locked memory";

    private LockedMemory() { }

    /** What to add to a message about ENOMEM. */
    static String hint() {
        String limit;
        try {
            limit = softLimit(Files.readAllLines(LIMITS));
        } catch (IOException e) {
            limit = "unknown (" + e.getMessage() + ")";
        }
        return hint(limit);
    }

    /** What to add, given the limit; nothing when that is not the cause. */
    static String hint(String limit) {
        return limit.equals("unlimited") ? ""
                : "; the limit on locked memory (RLIMIT_MEMLOCK, ulimit -l) is " + limit + " bytes";
    }

    /** Finds the limit in the lines of /proc/self/limits. */
    static String softLimit(List<String> lines) {
        for (String line : lines) {
            if (line.startsWith(NAME)) {
                return line.substring(NAME.length()).strip().split("\\s+")[0];
            }
        }
        return "unknown";
    }
}
