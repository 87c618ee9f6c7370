/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a user notices of a JVM's start and end: programs that do next to nothing, each in a JVM of its own, and what
 * the agent adds to them. The other parts of the {@link #FAMILY} are works like any other, in JVMs that did nothing
 * before.
 */
public final class Start implements Work {

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

    static final int THREADS = 4;

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MESSAGE_BYTES = 64;

    private static final List<Job> JOBS = List.of(
            new Job(new Start(), Api.SOCKET, 1, Duration.ZERO, Duration.ZERO),
            new Job(new FirstSeconds(), Api.NIO, Service.REQUEST_BYTES, SECOND, SECOND),
            new Job(new FirstConnects(), Api.NIO, MESSAGE_BYTES, Duration.ZERO, SECOND),
            new Job(new ManyConnects(), Api.NIO, MESSAGE_BYTES, Duration.ZERO, Duration.ZERO));

    private Start() {}

    /**
     * Lists what is measured.
     *
     * @return a job for each part, with the API and the times that the part is about
     */
    public static List<Job> jobs() {
        return JOBS;
    }

    @Override
    public String name() {
        return FAMILY;
    }

    @Override
    public String title() {
        return "start";
    }

    @Override
    public String method() {
        return "Programs that begin and end, with the agent as users have it: one prints a line; a client connects by a"
                + " Socket to a server that runs all the time, sends a byte, reads it back, closes, and prints the"
                + " time from its first statement until the byte was there. Whole is from the process' start until it"
                + " has ended, exit from the program's last line. Classes are counted in one more run of the client,"
                + " by -Xlog:class+load.";
    }

    @Override
    public List<Integer> sizes() {
        return List.of(1);
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                Metric.headline(HELLO, Unit.SECONDS),
                Metric.headline(CONNECT, Unit.SECONDS),
                Metric.headline(CLIENT, Unit.SECONDS),
                Metric.headline(EXIT, Unit.SECONDS),
                Metric.headline(CLASSES, Unit.COUNT),
                Metric.headline(LINES, Unit.COUNT),
                Metric.headline(JAR, Unit.BYTES));
    }

    @Override
    public Session session(Job job) {
        return new EchoSession(job);
    }

    @Override
    public boolean isDoneByPrograms() {
        return true;
    }

    /** Programs do this part. */
    @Override
    public Map<String, Double> drive(Stage stage) {
        throw new UnsupportedOperationException(name() + " is done by programs");
    }
}
