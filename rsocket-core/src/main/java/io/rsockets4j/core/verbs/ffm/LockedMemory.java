/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.host.ProcessLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The limit that usually is the cause when a verb runs out of memory. */
final class LockedMemory {
    private LockedMemory() { }

    /** What to add to a message about ENOMEM; nothing where the limit is not the cause. */
    static String hint() {
        String limit;
        try {
            limit = ProcessLimits.text(ProcessLimits.soft(Files.readString(Path.of(ProcessLimits.LIMITS)),
                    ProcessLimits.LOCKED_MEMORY));
        } catch (IOException e) {
            limit = "unknown (" + e.getMessage() + ")";
        }
        return hint(limit);
    }

    /** What to add, given the limit; nothing when that is not the cause. */
    static String hint(String limit) {
        return limit.equals("unlimited") ? ""
                : "; the limit on locked memory (RLIMIT_MEMLOCK, ulimit -l) is " + limit;
    }
}
