/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.host.ProcessLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this process may lock, and why some could not be registered. */
final class MemoryLimit {
    private MemoryLimit() { }

    /**
     * A message that names the limit and the fix.
     *
     * @param bytes what was to be registered
     */
    static String explain(long bytes) {
        return "cannot pin " + bytes + " bytes for RDMA: the limit on locked memory (RLIMIT_MEMLOCK) is "
                + ProcessLimits.lockedMemory() + ". Raise it with 'ulimit -l unlimited' in the shell that starts Java,"
                + " LimitMEMLOCK=infinity in a systemd unit, --ulimit memlock=-1 for a container, or"
                + " 'memlock unlimited' in /etc/security/limits.conf; or set a smaller rsockets4j.ring.bytes";
    }

    /** How many bytes the system lets this process pin; Long.MAX_VALUE where there is no limit, or it is not known. */
    static long bytes() {
        try {
            return bytes(Files.readString(Path.of(ProcessLimits.LIMITS)),
                    Files.readAllLines(Path.of(ProcessLimits.STATUS)));
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** The same, from the text of one file, and the lines of the other. */
    static long bytes(String limits, List<String> status) {
        long soft = ProcessLimits.soft(limits, ProcessLimits.LOCKED_MEMORY);
        return soft == ProcessLimits.UNKNOWN || ProcessLimits.mayLockAll(status) ? Long.MAX_VALUE : soft;
    }
}
