/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Host;
import io.rsockets4j.bench.report.Sizes;
import io.rsockets4j.bench.run.Jvms;
import io.rsockets4j.bench.run.Route;
import io.rsockets4j.bench.run.Settings;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say what to measure, and how. */
final class Options {

    private static final double QUICK_SECONDS = 0.25;
    private static final double QUICK_WARM_UP_SECONDS = 0.15;
    private static final double FULL_SECONDS = 0.75;
    private static final double FULL_WARM_UP_SECONDS = 0.5;
    private static final int FULL_REPEAT = 3;

    @Option(
            names = "--paths",
            split = ",",
            defaultValue = "tcp,shm",
            paramLabel = "PATH",
            description = "Paths to compare, in turn: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private List<Route> routes = new ArrayList<>();

    @Option(
            names = "--apis",
            split = ",",
            defaultValue = "nio,selector,socket,async",
            paramLabel = "API",
            description = "Socket APIs: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Api> apis = new ArrayList<>();

    @Option(
            names = "--works",
            split = ",",
            paramLabel = "WORK",
            converter = WorkConverter.class,
            completionCandidates = WorkNames.class,
            description = "What to do: ${COMPLETION-CANDIDATES}. Default: all but virtual.")
    private List<Work> works = new ArrayList<>();

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Message lengths for roundtrip and stream, such as 64,4k,1m. Default: those of the work.")
    private List<Integer> sizes = new ArrayList<>();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Measure each N times and take the median. Default: 3, quick 1.")
    private Integer repeat;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "Measure for so long each time. Default: 0.75, quick 0.25.")
    private Double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Warm up for so long each time. Default: 0.5, quick 0.15.")
    private Double warmUpSeconds;

    @Option(
            names = "--quick",
            description = "End within a minute: fewer sizes, shorter, once; long works with the first API only.")
    private boolean quick;

    @Option(
            names = "--java",
            paramLabel = "HOME",
            description = "Run the JVMs under test from this JDK. Default: the one that runs the benchmark.")
    private Path javaHome = Path.of(System.getProperty("java.home"));

    @Option(
            names = "--jvm-arg",
            paramLabel = "ARG",
            description = "One more argument for every JVM under test. May be repeated.")
    private List<String> jvmArguments = new ArrayList<>();

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "Connect through this address of the host; rdma needs one of an RDMA device."
                + " Default: loopback.")
    private String address;

    @Option(
            names = "--agent",
            paramLabel = "JAR",
            defaultValue = "${sys:rsockets4j.bench.root:-.}/agent/target/rsockets4j.jar",
            description = "The agent. Default: agent/target/rsockets4j.jar.")
    private Path agentJar;

    /** Checks the options and puts the defaults in place. */
    Settings settings() {
        return new Settings(
                routes,
                apis,
                works.isEmpty() ? Works.usual() : works,
                sizes,
                (int) positive("--repeat", repeat == null ? quick ? 1 : FULL_REPEAT : repeat),
                duration("--warm-up", warmUpSeconds, QUICK_WARM_UP_SECONDS, FULL_WARM_UP_SECONDS),
                duration("--duration", seconds, QUICK_SECONDS, FULL_SECONDS),
                quick,
                new Jvms(javaHome, agentJar, allJvmArguments()));
    }

    private List<String> allJvmArguments() {
        List<String> arguments = new ArrayList<>(jvmArguments);
        if (address != null) {
            arguments.add("-D" + Host.PROPERTY + "=" + address);
        }
        return arguments;
    }

    private Duration duration(String name, Double given, double quickSeconds, double fullSeconds) {
        double value = given == null ? quick ? quickSeconds : fullSeconds : given;
        return Duration.ofNanos((long) (positive(name, value) * 1e9));
    }

    private static double positive(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(name + " must be positive, is " + value);
        }
        return value;
    }

    /** Finds a work by its name. */
    static final class WorkConverter implements ITypeConverter<Work> {
        @Override
        public Work convert(String value) {
            try {
                return Works.of(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Reads a size. */
    static final class SizeConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            try {
                return Sizes.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Lists the works' names. */
    static final class WorkNames extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        WorkNames() {
            Works.all().forEach(work -> add(work.name()));
        }
    }
}
