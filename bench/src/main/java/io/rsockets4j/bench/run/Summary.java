/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The line that an agent prints when its JVM exits: {@code rsockets4j: connections shm=3 tcp=1}.
 *
 * @param counts the number of connections by the path they took
 */
public record Summary(Map<String, Long> counts) {

    private static final Pattern LINE = Pattern.compile("rsockets4j: connections((?: \\w+=\\d+)*)\\s*");

    /** Copies the counts. */
    public Summary {
        counts = Map.copyOf(counts);
    }

    /**
     * Finds the summary in a JVM's output.
     *
     * @param lines its standard error
     * @return the last summary, empty if there is none
     */
    public static Optional<Summary> find(List<String> lines) {
        return lines.stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(matcher -> parseCounts(matcher.group(1)))
                .reduce((first, second) -> second);
    }

    private static Summary parseCounts(String counts) {
        Map<String, Long> byPath = new TreeMap<>();
        for (String each : counts.trim().split(" ")) {
            if (!each.isEmpty()) {
                String[] pair = each.split("=");
                byPath.put(pair[0], Long.valueOf(pair[1]));
            }
        }
        return new Summary(byPath);
    }

    /**
     * Tells whether there were connections, and all took one path.
     *
     * @param path the path's name
     * @return true if so
     */
    public boolean areAll(String path) {
        return counts.getOrDefault(path, 0L) > 0
                && counts.values().stream().filter(count -> count > 0).count() == 1;
    }

    /**
     * Writes the counts.
     *
     * @return such as {@code shm=3 tcp=1}
     */
    public String text() {
        return counts.isEmpty()
                ? "none"
                : new TreeMap<>(counts)
                        .entrySet().stream().map(Object::toString).collect(Collectors.joining(" "));
    }
}
