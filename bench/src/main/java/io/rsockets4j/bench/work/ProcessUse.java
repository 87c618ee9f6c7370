/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What one process uses, as Linux tells under /proc.
 *
 * @param descriptors open file descriptors
 * @param sharedBytes its proportional share of the shared memory that it maps
 */
record ProcessUse(int descriptors, long sharedBytes) {
    /** The unit of times in /proc/PID/stat, a constant of Linux's interface to programs. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TIME_FIELD = 11;
    private static final int SYSTEM_TIME_FIELD = 12;
    private static final String SHARE_LABEL = "Pss_Shmem:";

    static ProcessUse of(long pid) throws IOException {
        return new ProcessUse(countDescriptors(pid), parseSharedBytes(Files.readString(proc(pid, "smaps_rollup"))));
    }

    /** CPU time of a process since its start, user and system. */
    static double cpuSeconds(long pid) throws IOException {
        return parseCpuSeconds(Files.readString(proc(pid, "stat")));
    }

    /** Reads the fields after the command, which is in parentheses and may hold blanks. */
    static double parseCpuSeconds(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[USER_TIME_FIELD]) + Long.parseLong(fields[SYSTEM_TIME_FIELD]);
        return ticks / TICKS_PER_SECOND;
    }

    static long parseSharedBytes(String rollup) {
        return rollup.lines()
                .filter(line -> line.startsWith(SHARE_LABEL))
                .map(line ->
                        line.substring(SHARE_LABEL.length()).replace("kB", "").trim())
                .mapToLong(kibibytes -> Long.parseLong(kibibytes) * 1024)
                .sum();
    }

    private static int countDescriptors(long pid) throws IOException {
        try (Stream<Path> descriptors = Files.list(proc(pid, "fd"))) {
            return (int) descriptors.count();
        }
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }
}
