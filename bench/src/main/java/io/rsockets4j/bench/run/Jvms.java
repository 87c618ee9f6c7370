/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.peer.Peer;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * How to start the JVMs under test.
 *
 * @param javaHome the JDK or JRE to run them with
 * @param agentJar the agent for the routes that have one
 * @param arguments more options for every JVM
 */
public record Jvms(Path javaHome, Path agentJar, List<String> arguments) {

    /** Copies the arguments. */
    public Jvms {
        arguments = List.copyOf(arguments);
    }

    /**
     * Writes the command that starts one of the two JVMs: the same program for all routes, only the flags differ.
     *
     * @param route the route that its connections shall take
     * @param side which JVM
     * @return the command
     */
    List<String> command(Route route, Side side) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.addAll(arguments);
        route.paths(side).map(this::agent).ifPresent(command::add);
        command.add("-cp");
        command.add(classPath());
        command.add(Peer.class.getName());
        return command;
    }

    /**
     * Tells the version of Java, as the JDK's own file {@code release} says it.
     *
     * @return such as 17; that of the JVM that runs this if there is no such file
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
        return "-javaagent:" + agentJar + "=paths=" + paths + ",summary=true";
    }
}
