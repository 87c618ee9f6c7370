/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel's files say of a process' limits. Stateless; thread-safe. */
public final class ProcessLimits {
    /** The file with the limits of this process. */
    public static final String LIMITS = "/proc/self/limits";
    /** The file with the capabilities of this process, among much else. */
    public static final String STATUS = "/proc/self/status";
    /** The limit on memory that may be locked, as that file calls it. */
    public static final String LOCKED_MEMORY = "Max locked memory";
    /** The limit on open files, the same way. */
    public static final String OPEN_FILES = "Max open files";
    /** A limit in words that is none. */
    public static final String UNLIMITED = "unlimited";
    /** No line has that name. */
    public static final long UNKNOWN = -1;

    private static final String CAPABILITIES = "CapEff:";
    private static final long IPC_LOCK = 1L << 14;
    private static final int TEN = 10;
    private static final int HEX = 16;

    private ProcessLimits() { }

    /**
     * A soft limit.
     *
     * @param limits the text of {@link #LIMITS}
     * @param name how its line begins
     * @return {@link Long#MAX_VALUE} where there is none, or {@link #UNKNOWN}
     */
    public static long soft(String limits, String name) {
        int line = limits.indexOf(name);
        if (line < 0) {
            return UNKNOWN;
        }
        int begin = line + name.length();
        while (begin < limits.length() && limits.charAt(begin) == ' ') {
            begin++;
        }
        long number = 0;
        int end = begin;
        for (; end < limits.length() && limits.charAt(end) >= '0' && limits.charAt(end) <= '9'; end++) {
            int digit = limits.charAt(end) - '0';
            number = number > (Long.MAX_VALUE - digit) / TEN ? Long.MAX_VALUE : TEN * number + digit;
        }
        return end == begin ? Long.MAX_VALUE : number; // "unlimited"
    }

    /**
     * Whether a process has CAP_IPC_LOCK: then the limit on locked memory does not hold.
     *
     * @param status the lines of {@link #STATUS}
     * @return false too where it does not say
     */
    public static boolean mayLockAll(List<String> status) {
        for (String line : status) {
            if (line.startsWith(CAPABILITIES)) {
                String set = line.substring(CAPABILITIES.length()).strip();
                return (Long.parseUnsignedLong(set, HEX) & IPC_LOCK) != 0;
            }
        }
        return false;
    }

    /**
     * A limit in words.
     *
     * @param limit of {@link #soft}, in bytes
     * @return for example {@code 65536 bytes}
     */
    public static String text(long limit) {
        return limit == UNKNOWN ? "unknown" : limit == Long.MAX_VALUE ? UNLIMITED : limit + " bytes";
    }

    /**
     * How much memory this process may lock, in words, for a message. Reads a small file.
     *
     * @return as of {@link #text}; where the file cannot be read it says so
     */
    public static String lockedMemory() {
        try {
            return text(soft(Files.readString(Path.of(LIMITS)), LOCKED_MEMORY));
        } catch (IOException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }
}
