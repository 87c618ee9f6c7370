/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this process may lock, and why some could not be registered. */
final class MemoryLimit {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String NAME = "Max locked memory";
    private static final String UNLIMITED = "unlimited";
    private static final String BYTES = " bytes";
    private static final String CAPABILITIES = "CapEff:";
    private static final long LOCKS_MEMORY = 1L << 14; // CAP_IPC_LOCK: the limit does not hold

    private MemoryLimit() { }

    /**
     * A message that names the limit and the fix.
     *
     * @param bytes what was to be registered
     */
    static String explain(long bytes) {
        return "cannot pin " + bytes + " bytes for RDMA: the limit on locked memory (RLIMIT_MEMLOCK) is " + limit()
                + ". Raise it with 'ulimit -l unlimited' in the shell that starts Java, LimitMEMLOCK=infinity in a"
                + " systemd unit, --ulimit memlock=-1 for a container, or 'memlock unlimited' in"
                + " /etc/security/limits.conf; or set a smaller rsockets4j.ring.bytes";
    }

    /** How many bytes the system lets this process pin; Long.MAX_VALUE where there is no limit, or it is not known. */
    static long bytes() {
        try {
            return bytes(Files.readAllLines(LIMITS), Files.readAllLines(STATUS));
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** The same, from the lines of /proc/self/limits and /proc/self/status. */
    static long bytes(List<String> limits, List<String> status) {
        String limit = limit(limits);
        if (!limit.endsWith(BYTES) || mayLock(status)) {
            return Long.MAX_VALUE;
        }
        return Long.parseUnsignedLong(limit.substring(0, limit.length() - BYTES.length())) & Long.MAX_VALUE;
    }

    private static boolean mayLock(List<String> status) {
        for (String line : status) {
            if (line.startsWith(CAPABILITIES)) {
                String set = line.substring(CAPABILITIES.length()).strip();
                return (Long.parseUnsignedLong(set, 16) & LOCKS_MEMORY) != 0;
            }
        }
        return false;
    }

    private static String limit() {
        try {
            return limit(Files.readAllLines(LIMITS));
        } catch (IOException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }

    /** Finds the soft limit in the lines of /proc/self/limits. */
    static String limit(List<String> lines) {
        for (String line : lines) {
            if (line.startsWith(NAME)) {
                String soft = line.substring(NAME.length()).strip().split("\\s+")[0];
                return soft.equals(UNLIMITED) ? soft : soft + BYTES;
            }
        }
        return "unknown";
    }
}
