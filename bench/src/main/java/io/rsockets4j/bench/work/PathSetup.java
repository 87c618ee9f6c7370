/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A way for the bytes to take, chosen by the flags of the two JVMs. */
public enum PathSetup {
    /** The plain JDK at both ends. */
    TCP("TCP", "Both JVMs run without the agent.", null, null, null),
    /** Shared memory, and nothing else. */
    SHM("shared memory", "Both JVMs run with the agent and may use shared memory only.", "shm", "shm", "shm"),
    /** Shared memory, by the ring alone. */
    SHM_RING(
            "shared memory, ring only",
            "As shared memory; all bytes take the ring.",
            AgentSettings.SHM_RING,
            AgentSettings.SHM_RING,
            "shm"),
    /** A client that would rather use shared memory, and a server that is a plain JDK. */
    FALLBACK(
            "TCP fallback",
            "The client runs with the agent and prefers shared memory; the server runs without it, so TCP is used.",
            "shm,tcp",
            null,
            "tcp"),
    /** RDMA, and nothing else. */
    RDMA("RDMA", "Both JVMs run with the agent and may use RDMA only.", "rdma", "rdma", "rdma"),
    /** RDMA, by the ring alone. */
    RDMA_RING(
            "RDMA, ring only",
            "As RDMA; all bytes take the ring.",
            AgentSettings.RING,
            AgentSettings.RING,
            "rdma"),
    /** RDMA, by the ring or straight into the receiver's buffers, as each byte finds it. */
    RDMA_DYNAMIC(
            "RDMA, dynamic",
            "As RDMA; writes of 4 KiB and more go straight into the buffers of reads that wait for them.",
            AgentSettings.DYNAMIC,
            AgentSettings.DYNAMIC,
            "rdma"),
    /** RDMA, straight into the receiver's buffers and no other way. */
    RDMA_DIRECT(
            "RDMA, direct only",
            "As RDMA; writes of 4 KiB and more wait for reads, and go straight into their buffers.",
            AgentSettings.DIRECT,
            AgentSettings.DIRECT,
            "rdma");

    /** What the agent is told: paths, and more where figures need it. */
    private static final class AgentSettings {
        static final String SHM_RING = "shm,direct.registered.min.bytes=0";
        static final String RING = "rdma,direct.registered.min.bytes=0";
        static final String DYNAMIC = "rdma,direct.min.bytes=4096,direct.registered.min.bytes=4096";
        static final String DIRECT = DYNAMIC + ",direct.only=true";
    }

    private static final Pattern SUMMARY = Pattern.compile(
            "rsockets4j: connections((?: \\w+=\\d+)*)(?:; rsockets4j.*)?\\s*");

    private final String title;
    private final String description;
    private final String clientPaths;
    private final String serverPaths;
    private final String countedAs;

    PathSetup(String title, String description, String clientPaths, String serverPaths, String countedAs) {
        this.title = title;
        this.description = description;
        this.clientPaths = clientPaths;
        this.serverPaths = serverPaths;
        this.countedAs = countedAs;
    }

    /**
     * Tells what the agent in a JVM is told to use.
     *
     * @param side which JVM
     * @return the agent's paths, perhaps with more of its settings; empty if there is no agent
     */
    public Optional<String> paths(Side side) {
        return Optional.ofNullable(side == Side.CLIENT ? clientPaths : serverPaths);
    }

    /**
     * Checks that a JVM's connections took this path, by the last line that its agent printed at exit, such as
     * {@code rsockets4j: connections shm=3 tcp=1; rsockets4j 1.0, paths=shm,tcp}.
     *
     * @param side which JVM
     * @param output what it printed
     * @return what is wrong, empty if nothing is
     */
    public Optional<String> objectionTo(Side side, List<String> output) {
        if (paths(side).isEmpty()) {
            return Optional.empty();
        }
        Optional<String> summary = output.stream()
                .map(SUMMARY::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1).trim())
                .reduce((first, second) -> second);
        if (summary.isEmpty()) {
            return Optional.of("the " + side + " printed no summary of its connections");
        }
        List<String> used =
                Stream.of(summary.get().split(" ")).filter(count -> !count.endsWith("=0")).toList();
        return used.size() == 1 && used.get(0).startsWith(countedAs + '=')
                ? Optional.empty()
                : Optional.of("the " + side + "'s connections should all be " + countedAs + " but were "
                        + (summary.get().isEmpty() ? "none" : summary.get()));
    }

    /** Names it for readers: a few words. */
    public String title() {
        return title;
    }

    /** Describes it for readers: a sentence. */
    public String description() {
        return description;
    }

    /** Names it on the command line and in files. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
