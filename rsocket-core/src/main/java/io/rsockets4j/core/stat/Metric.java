/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One number about all connections of this process at one time, in the form that metrics libraries take: a dotted
 * name, tags, and a value that either only grows or goes up and down. The names are listed in {@code
 * docs/monitoring.md}; name, tags and unit of a number never change their meaning. Immutable.
 *
 * @param name lower case with dots, for example {@code rsockets4j.bytes.sent}
 * @param kind how the value behaves
 * @param unit what is counted, for example {@code bytes}
 * @param tags what the number is of, for example {@code path=shm}; sorted by their keys
 * @param value zero or more
 */
public record Metric(String name, Kind kind, String unit, SortedMap<String, String> tags, long value) {

    /** How a value behaves. */
    public enum Kind {
        /** Only grows, from the start of the process on. */
        COUNTER,
        /** Goes up and down. */
        GAUGE
    }

    /** Keeps a copy of the tags. */
    public Metric {
        tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
    }

    /**
     * Name and tags in one.
     *
     * @return for example {@code rsockets4j.bytes.sent{path=shm}}, different for each number of a process
     */
    public String id() {
        return name + tags.entrySet().stream().map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
