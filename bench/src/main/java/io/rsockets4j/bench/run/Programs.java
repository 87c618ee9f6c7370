/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.program.OneByte;
import io.rsockets4j.bench.program.PrintLine;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The programs of a {@link Start} on one route, each in a JVM that starts for it and ends after it. */
final class Programs {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final PathSetup route;
    private final Jvms jvms;

    Programs(PathSetup route, Jvms jvms) {
        this.route = route;
        this.jvms = jvms;
    }

    /** Runs them one after the other, against a server that listens on a port of this host. */
    Map<String, Double> measure(int port) throws PeerException {
        List<String> client = jvms.program(route, OneByte.class, Integer.toString(port));
        Run hello = run("hello", jvms.program(route, PrintLine.class));
        Run first = run("first client", client);
        return Map.of(
                Start.HELLO, hello.wholeSeconds(),
                Start.CONNECT, Long.parseLong(first.answer()) / 1e9,
                Start.CLIENT, first.wholeSeconds(),
                Start.EXIT, first.exitSeconds(),
                Start.CLASSES, (double) classesOf(client),
                Start.LINES, (double) hello.lines() + first.lines(),
                Start.JAR, (double) jvms.agentBytes(route));
    }

    private Run run(String name, List<String> command) throws PeerException {
        long startNs = System.nanoTime();
        PeerProcess process = PeerProcess.start(route + " " + name, command);
        try {
            String answer = process.await(LIMIT);
            long answerNs = System.nanoTime();
            process.finish(LIMIT);
            long endNs = System.nanoTime();
            return new Run(
                    answer.substring(1),
                    (endNs - startNs) / 1e9,
                    (endNs - answerNs) / 1e9,
                    process.output().size());
        } finally {
            process.kill();
        }
    }

    /** A run of its own, since writing the log takes time. */
    private long classesOf(List<String> command) throws PeerException {
        try {
            Path log = Files.createTempFile("classes", ".log");
            try {
                List<String> logged = new ArrayList<>(command);
                // without filecount=0 the JVM puts the empty file that is there aside, and leaves it
                logged.add(1, "-Xlog:class+load:file=" + log + ":none:filecount=0");
                run("client", logged);
                try (Stream<String> lines = Files.lines(log)) {
                    return lines.count();
                }
            } finally {
                Files.delete(log);
            }
        } catch (IOException e) {
            throw new PeerException("cannot count the classes of the " + route + " client: " + e, List.of(), false);
        }
    }

    /** How a program went: what it said, how long it took, and the lines that are not its own. */
    private record Run(String answer, double wholeSeconds, double exitSeconds, int lines) {}
}
