/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Explains why memory could not be registered. */
final class MemoryLimit {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String NAME = "Max locked memory";

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
                return soft.equals("unlimited") ? soft : soft + " bytes";
            }
        }
        return "unknown";
    }
}
