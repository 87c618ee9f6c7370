/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a process uses while nobody is connected to it.
 *
 * @param threads of Java
 * @param descriptors open ones
 * @param mappings of shared memory
 * @param heapKb the heap after a collection
 * @param anonymousKb all other memory of its own
 * @param sharedKb memory that is shared with others
 * @param pinnedKb memory that is pinned for devices
 * @param files of all processes, where they meet and in their temporary directory, by the ends of their names
 */
record Use(int threads, int descriptors, int mappings, long heapKb, long anonymousKb, long sharedKb, long pinnedKb,
        Map<String, Integer> files) {
    /** What a JVM needs to have gone through its work more often: code, buffers of allocators and of collections. */
    private static final int MORE_ANONYMOUS_KB = 64 * 1024;
    private static final int MORE_HEAP_KB = 4 * 1024;
    /** One session that has just ended. */
    private static final int MORE_SHARED_KB = 2 * 1024;
    private static final int MORE_MAPPINGS = 8;
    private static final int MORE_DESCRIPTORS = 3;
    private static final int MORE_THREADS = 1;
    /** What a process that is killed leaves behind is left alone for so long. */
    private static final long YOUNG_MILLIS = 120_000;
    private static final String NATIVE_PART = "so";
    /** The next process removes those of whoever was killed while it loaded one; after the last none comes. */
    private static final int MORE_NATIVE_PARTS = 2;

    /** Asks a process, and the kernel about it. */
    static Use of(Jvm jvm, List<Path> directories, int seconds) throws IOException, InterruptedException {
        jvm.tell("measure");
        String[] answer = jvm.answer(seconds).split(" ");
        Path proc = Path.of("/proc", Long.toString(jvm.pid()));
        String status = Files.readString(proc.resolve("status"));
        int mappings = (int) Files.readString(proc.resolve("maps")).lines()
                .filter(line -> line.contains("rsockets4j")).count();
        return new Use(Integer.parseInt(answer[0]), count(proc.resolve("fd")), mappings, Long.parseLong(answer[1]),
                kilobytes(status, "RssAnon:"), kilobytes(status, "RssShmem:"), kilobytes(status, "VmPin:"),
                files(directories));
    }

    private static int count(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return (int) entries.count();
        }
    }

    private static Map<String, Integer> files(List<Path> directories) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Path directory : directories) {
            try (Stream<Path> entries = Files.walk(directory)) {
                for (Path path : (Iterable<Path>) entries::iterator) {
                    if (Files.exists(path) && !isYoung(path.toFile())) {
                        counts.merge(path.toString().replaceFirst(".*[./]", ""), 1, Integer::sum);
                    }
                }
            }
        }
        return counts;
    }

    private static boolean isYoung(File file) {
        return (file.getName().endsWith(".shared") || file.getName().endsWith(".draft")
                || file.getName().endsWith("." + NATIVE_PART))
                && System.currentTimeMillis() - file.lastModified() < YOUNG_MILLIS;
    }

    private static long kilobytes(String status, String label) {
        return status.lines().filter(line -> line.startsWith(label))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).sum();
    }

    /** What has grown since an earlier look; empty where all is flat. */
    List<String> growthSince(Use before) {
        List<String> growth = new ArrayList<>();
        compare(growth, "threads", before.threads, threads, MORE_THREADS);
        compare(growth, "descriptors", before.descriptors, descriptors, MORE_DESCRIPTORS);
        compare(growth, "mappings", before.mappings, mappings, MORE_MAPPINGS);
        compare(growth, "heap KB", before.heapKb, heapKb, MORE_HEAP_KB);
        compare(growth, "anonymous KB", before.anonymousKb, anonymousKb, MORE_ANONYMOUS_KB);
        compare(growth, "shared KB", before.sharedKb, sharedKb, MORE_SHARED_KB);
        compare(growth, "pinned KB", before.pinnedKb, pinnedKb, MORE_SHARED_KB);
        files.forEach((kind, count) -> compare(growth, "files " + kind, before.files.getOrDefault(kind, 0), count,
                kind.equals(NATIVE_PART) ? MORE_NATIVE_PARTS : 0));
        return growth;
    }

    private static void compare(List<String> growth, String what, long before, long now, long more) {
        if (now > before + more) {
            growth.add(what + " from " + before + " to " + now);
        }
    }
}
