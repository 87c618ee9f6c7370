/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ServerSession;
import io.rsockets4j.bench.net.Serving;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * What a user notices of a JVM's start and end: programs that do next to nothing, each in a JVM of its own, and what
 * the agent adds to them. The other parts of the {@link #FAMILY} are works like any other, in JVMs that did nothing
 * before.
 */
public final class Start extends Work {
    /** What all parts are called together; the names of the others go on after it. */
    public static final String FAMILY = "start";
    /** From the start of a program that prints one line until it has ended. */
    public static final String HELLO = "hello";
    /** From a program's first connect until it has a byte back. */
    public static final String CONNECT = "first connect, echo";
    /** From the start of that program until it has ended. */
    public static final String CLIENT = "client as a whole";
    /** From that program's last line until it has ended. */
    public static final String EXIT = "exit";
    /** Classes that the JVM of that program loads. */
    public static final String CLASSES = "classes loaded";
    /** Lines on standard error that neither program printed. */
    public static final String LINES = "lines on stderr";
    /** The length of the agent's jar, nothing where there is no agent. */
    public static final String JAR = "jar";
    /** Requests answered within the first second. */
    public static final String FIRST = "first second";
    /** Requests answered within the second one. */
    public static final String SECOND = "second second";
    /** The time that the first connects take together. */
    public static final String FIRST_CONNECTS = "first 10,000";

    private static final String P99 = ", p99";
    private static final int THREADS = 4;
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);
    private static final int MESSAGE_BYTES = 64;

    private static final List<Job> JOBS = List.of(
            new Job(new Start(), Api.SOCKET, 1, Duration.ZERO, Duration.ZERO),
            new Job(new FirstSeconds(), Api.NIO, Service.REQUEST_BYTES, ONE_SECOND, ONE_SECOND),
            new Job(new FirstConnects(), Api.NIO, MESSAGE_BYTES, Duration.ZERO, ONE_SECOND),
            new Job(new ManyConnects(), Api.NIO, MESSAGE_BYTES, Duration.ZERO, Duration.ZERO));

    private Start() {
        super(FAMILY, "start",
                "Programs that begin and end, with the agent as users have it: one prints a line; a client connects by"
                        + " a Socket to a server that runs all the time, sends a byte, reads it back, closes, and"
                        + " prints the time from its first statement until the byte was there. Whole is from the"
                        + " process' start until it has ended, exit from the program's last line. Classes are counted"
                        + " in one more run of the client, by -Xlog:class+load.",
                List.of(1),
                List.of(
                        Figure.headline(HELLO, Unit.SECONDS),
                        Figure.headline(CONNECT, Unit.SECONDS),
                        Figure.headline(CLIENT, Unit.SECONDS),
                        Figure.headline(EXIT, Unit.SECONDS),
                        Figure.headline(CLASSES, Unit.COUNT),
                        Figure.headline(LINES, Unit.COUNT),
                        Figure.headline(JAR, Unit.BYTES)),
                Trait.BY_PROGRAMS);
    }

    /** {@return a job for each part, with the API and the times that the part is about} */
    public static List<Job> jobs() {
        return JOBS;
    }

    /** Programs do this part. */
    @Override
    public Map<String, Double> drive(Stage stage) {
        throw new UnsupportedOperationException(name() + " is done by programs");
    }

    /** The first two seconds of a {@link Service}. */
    private static final class FirstSeconds extends Work {
        FirstSeconds() {
            super(FAMILY + ":service", "service, 4 threads",
                    "The service's closed loop with four connections, in JVMs that did nothing before, from the moment"
                            + " when these are open.",
                    List.of(Service.REQUEST_BYTES),
                    List.of(
                            Figure.headline(FIRST, Unit.PER_SECOND),
                            Figure.headline(FIRST + P99, Unit.NANOSECONDS),
                            Figure.headline(SECOND, Unit.PER_SECOND),
                            Figure.headline(SECOND + P99, Unit.NANOSECONDS)),
                    Trait.FRESH_JVMS);
        }

        @Override
        public ServerSession session(Job job) {
            return new ServiceSession(job.api());
        }

        @Override
        public Map<String, Double> drive(Stage stage) throws Exception {
            Map<String, Double> values = new ServiceRun(stage, THREADS).values();
            return Map.of(
                    FIRST, values.get(Service.FIRST + Service.RATE),
                    FIRST + P99, values.get(Service.FIRST + Service.P99),
                    SECOND, values.get(Service.RATE),
                    SECOND + P99, values.get(Service.P99));
        }
    }

    /** Short connections of four threads, from the first one on. */
    private static final class FirstConnects extends Work {
        private static final String CONNECTIONS = "connections";

        FirstConnects() {
            super(FAMILY + ":connects", "connects in the first second, 4 threads",
                    "Four threads open a connection each, send one message, read its echo and close, over and over, for"
                            + " a second; the server has a thread for each connection. Neither JVM did anything"
                            + " before.",
                    List.of(MESSAGE_BYTES), List.of(Figure.headline(CONNECTIONS, Unit.PER_SECOND)), Trait.FRESH_JVMS);
        }

        @Override
        public ServerSession session(Job job) {
            return new EchoSession(job, 1);
        }

        @Override
        public Map<String, Double> drive(Stage stage) throws Exception {
            long endNs = System.nanoTime() + stage.job().measured().toNanos();
            Callable<Integer> client = () -> visitUntil(endNs, stage);
            int count = atOnce(Collections.nCopies(THREADS, client)).stream().mapToInt(each -> each).sum();
            return Map.of(CONNECTIONS, count / (stage.job().measured().toNanos() / 1e9));
        }

        /** Visits the server over and over, and counts the visits that ended in time. */
        private static int visitUntil(long endNs, Stage stage) throws IOException {
            try (ClientConnector connector = stage.api().connector()) {
                for (int count = 0;; count++) {
                    ShortConnections.visit(stage, connector);
                    if (System.nanoTime() - endNs >= 0) {
                        return count;
                    }
                }
            }
        }
    }

    /** The first short connections of a thread, and as many after them. */
    private static final class ManyConnects extends Work {
        private static final String NEXT = "next 10,000";
        /** Twice as many stay below the range of ephemeral ports: a closed connection holds its port for a while. */
        private static final int CONNECTS = 10_000;

        ManyConnects() {
            super(FAMILY + ":many", "connects, one thread",
                    "One thread connects, sends one message, reads its echo and closes, 10,000 times and then as often"
                            + " again; the server has one thread too. Neither JVM did anything before.",
                    List.of(MESSAGE_BYTES),
                    List.of(Figure.headline(FIRST_CONNECTS, Unit.SECONDS), Figure.headline(NEXT, Unit.SECONDS)),
                    Trait.FRESH_JVMS);
        }

        @Override
        public Serving serving() {
            return Serving.IN_TURN;
        }

        @Override
        public ServerSession session(Job job) {
            return new EchoSession(job, 1);
        }

        @Override
        public Map<String, Double> drive(Stage stage) throws IOException {
            try (ClientConnector connector = stage.api().connector()) {
                double first = secondsFor(stage, connector);
                return Map.of(FIRST_CONNECTS, first, NEXT, secondsFor(stage, connector));
            }
        }

        private static double secondsFor(Stage stage, ClientConnector connector) throws IOException {
            long start = System.nanoTime();
            for (int i = 0; i < CONNECTS; i++) {
                ShortConnections.visit(stage, connector);
            }
            return (System.nanoTime() - start) / 1e9;
        }
    }
}
