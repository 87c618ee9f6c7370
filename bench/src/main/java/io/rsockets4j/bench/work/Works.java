/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The register of works. The {@link Service} and {@link Exs} come in many, and a {@link Start} in parts with an API
 * each: they are in no list, but found by their names.
 */
public final class Works {
    private static final List<Work> ALL = List.of(
            RoundTrip.busy(),
            RoundTrip.parked(),
            new Streaming(),
            new Seed(),
            ShortConnections.ofOneThread(),
            ShortConnections.ofManyThreads(),
            new Oversubscribed(),
            new Idle(),
            new Virtual(),
            new Plain());

    private Works() {}

    /** {@return all works, in the order in which they run} */
    public static List<Work> all() {
        return ALL;
    }

    /** {@return the works that run unless others are asked for} */
    public static List<Work> usual() {
        return ALL.stream().filter(work -> !work.is(Work.Trait.ASKED_FOR)).toList();
    }

    /**
     * Finds a work by its name.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Work of(String name) {
        return Stream.concat(ALL.stream(), Start.jobs().stream().map(Job::work))
                .filter(work -> work.name().equals(name))
                .findFirst()
                .or(() -> Service.of(name))
                .or(() -> Exs.of(name))
                .orElseThrow(() -> new IllegalArgumentException("unknown work \"" + name + "\", know " + names()));
    }

    /**
     * Reads a job. Not part of {@link Job}, which every work knows: a job needs not know every work.
     *
     * @param line from {@link Job#toLine}
     * @return the job
     * @throws IllegalArgumentException if there is no such work, API or number
     */
    public static Job parseJob(String line) {
        String[] words = line.split(" ", 5);
        return new Job(
                of(words[0]),
                Api.of(words[1]),
                Integer.parseInt(words[2]),
                Duration.ofMillis(Long.parseLong(words[3])),
                Duration.ofMillis(Long.parseLong(words[4])));
    }

    private static String names() {
        return Service.FAMILY + ", " + Start.FAMILY + ", " + Exs.FAMILY + ", "
                + ALL.stream().map(Work::name).collect(Collectors.joining(", "));
    }
}
