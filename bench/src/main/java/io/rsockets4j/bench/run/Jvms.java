/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.peer.Peer;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Side;
import io.rsockets4j.bench.work.Work;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * How to start the JVMs under test.
 *
 * @param javaHome the JDK or JRE to run them with
 * @param agentJar the agent for the routes that have one
 * @param agentlib whether it is loaded by {@code -agentlib:instrument} instead of {@code -javaagent}
 * @param arguments more options for every JVM
 * @param jarEverywhere whether a JVM that has no agent on its route gets one that uses TCP
 */
public record Jvms(
        Path javaHome, Path agentJar, boolean agentlib, List<String> arguments, boolean jarEverywhere) {
    private static final String TCP = "tcp";

    /** Copies the arguments. */
    public Jvms {
        arguments = List.copyOf(arguments);
    }

    /**
     * Makes those of a run, for any work.
     *
     * @param javaHome the JDK or JRE to run them with
     * @param agentJar the agent for the routes that have one
     * @param agentlib whether it is loaded by {@code -agentlib:instrument} instead of {@code -javaagent}
     * @param arguments more options for every JVM
     */
    public Jvms(Path javaHome, Path agentJar, boolean agentlib, List<String> arguments) {
        this(javaHome, agentJar, agentlib, arguments, false);
    }

    /** {@return the same with what a work asks for} */
    Jvms with(Work work) {
        return new Jvms(javaHome, agentJar, agentlib,
                Stream.of(arguments, work.jvmArguments()).flatMap(List::stream).toList(),
                work.is(Work.Trait.NEEDS_THE_JAR));
    }

    /**
     * Writes the command that starts one of the two JVMs: the same program for all routes, only the flags differ.
     *
     * @param route the route that its connections shall take
     * @param side which JVM
     * @return the command
     */
    List<String> command(PathSetup route, Side side) {
        String agent = route.paths(side)
                .or(() -> Optional.of(TCP).filter(tcp -> jarEverywhere))
                .map(paths -> agent(paths) + ",summary=true")
                .orElse(null);
        return java(agent, classPath(), Peer.class);
    }

    /**
     * Writes the command that starts a program as a user would, with the agent where the route's client has it.
     *
     * @param route the route that its connections shall take
     * @param program its main class, which needs the JDK alone
     * @param programArguments the program's arguments
     * @return the command
     */
    List<String> program(PathSetup route, Class<?> program, String... programArguments) {
        List<String> command =
                java(route.paths(Side.CLIENT).map(this::agent).orElse(null), location(program), program);
        command.addAll(List.of(programArguments));
        return command;
    }

    private List<String> java(String agent, String classPath, Class<?> program) {
        List<String> command = new ArrayList<>(List.of(javaHome.resolve("bin/java").toString()));
        command.addAll(arguments);
        if (agent != null) {
            command.add(agent);
        }
        command.addAll(List.of("-cp", classPath, program.getName()));
        return command;
    }

    /**
     * Tells how long the agent's jar is.
     *
     * @param route a route
     * @return the client's, in bytes; 0 if it has none
     * @throws PeerException if it is not there
     */
    long agentBytes(PathSetup route) throws PeerException {
        try {
            return route.paths(Side.CLIENT).isEmpty() ? 0 : Files.size(agentJar);
        } catch (IOException e) {
            throw new PeerException("cannot look at the agent: " + e, List.of(), false);
        }
    }

    /**
     * Tells the version of Java, as the JDK's own file {@code release} says it: such as 17; that of the JVM that runs
     * this if there is no such file.
     */
    public int feature() {
        Properties release = new Properties();
        try (Reader file = Files.newBufferedReader(javaHome.resolve("release"))) {
            release.load(file);
            return Runtime.Version.parse(release.getProperty("JAVA_VERSION").replace("\"", ""))
                    .feature();
        } catch (IOException | RuntimeException e) {
            return Runtime.version().feature();
        }
    }

    /** What the program needs and nothing else, least of all our own classes: only the agent brings those. */
    private static String classPath() {
        return Stream.of(Peer.class, Histogram.class)
                .map(Jvms::location)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String location(Class<?> type) {
        return Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    private String agent(String paths) {
        return (agentlib ? "-agentlib:instrument=" : "-javaagent:") + agentJar + "=paths=" + paths;
    }
}
