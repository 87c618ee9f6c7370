/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import io.rsockets4j.spi.suite.kit.SharedDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a JVM holds, as Linux tells.
 *
 * @param files what is in its directory of shared memory, but for its own answers to {@code stat}
 * @param descriptors its open files
 * @param threads its threads
 * @param mappings files of shared memory that it maps
 */
record ProcessUse(Set<String> files, int descriptors, int threads, long mappings) {
    private static final int SPARE = 8;

    /** Looks at a process whose {@code shm.dir} holds nothing else. */
    static ProcessUse of(long pid, Path memory) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        try (Stream<String> maps = Files.lines(process.resolve("maps"))) {
            long mappings = maps.filter(line -> line.contains(memory.toString())).count();
            String ownStat = pid + "-"; // is there from some moment on
            Set<String> files = filesIn(memory).stream().filter(name -> !name.startsWith(ownStat))
                    .collect(Collectors.toSet());
            return new ProcessUse(files, names(process.resolve("fd")).size(),
                    names(process.resolve("task")).size(), mappings);
        }
    }

    /** What processes have put into a directory of shared memory, without the directories themselves. */
    static Set<String> filesIn(Path memory) throws IOException {
        return SharedDirectory.filesIn(memory).stream().map(file -> file.getFileName().toString())
                .collect(Collectors.toSet());
    }

    /** The names of a process' threads, as Linux keeps them. */
    static Set<String> threads(long pid) throws IOException {
        Set<String> names = new HashSet<>();
        for (String thread : names(Path.of("/proc", Long.toString(pid), "task"))) {
            try {
                names.add(Files.readString(Path.of("/proc", Long.toString(pid), "task", thread, "comm")).strip());
            } catch (NoSuchFileException e) {
                continue; // it has just ended
            }
        }
        return names;
    }

    private static Set<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    /** Whether this is no more than another, but for a few threads and descriptors that a JVM may have made since. */
    boolean isWithin(ProcessUse other) {
        return other.files.containsAll(files) && mappings <= other.mappings
                && descriptors <= other.descriptors + SPARE && threads <= other.threads + SPARE;
    }
}
