/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ServerHost;
import io.rsockets4j.bench.net.VirtualThreadStarter;
import io.rsockets4j.bench.run.Jvms;
import io.rsockets4j.bench.run.RunSettings;
import io.rsockets4j.bench.work.Exs;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Service;
import io.rsockets4j.bench.work.Sizes;
import io.rsockets4j.bench.work.Start;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say what to measure, and how. */
final class Options {
    private static final double QUICK_SECONDS = 0.25;
    private static final double QUICK_WARM_UP_SECONDS = 0.15;
    private static final double FULL_SECONDS = 0.75;
    private static final double FULL_WARM_UP_SECONDS = 0.5;
    private static final int FULL_REPEAT = 3;
    private static final double SERVICE_FIRST_SECONDS = 2;
    private static final double SERVICE_QUICK_SECONDS = 1;
    private static final double SERVICE_FULL_SECONDS = 1.5;
    private static final List<String> FAMILIES = List.of(Service.FAMILY, Start.FAMILY, Exs.FAMILY);
    private static final List<PathSetup> USUAL_ROUTES = List.of(PathSetup.TCP, PathSetup.SHM);
    private static final List<Api> USUAL_APIS = List.of(Api.NIO, Api.SELECTOR, Api.SOCKET, Api.ASYNC);

    @Option(names = "--paths", split = ",", paramLabel = "PATH",
            description = "Paths to compare, in turn: ${COMPLETION-CANDIDATES}. Default: tcp,shm; plain fallback.")
    private List<PathSetup> paths = new ArrayList<>();

    @Option(names = "--apis", split = ",", paramLabel = "API", converter = ApiConverter.class,
            completionCandidates = ApiNames.class,
            description = {"Socket APIs: ${COMPLETION-CANDIDATES}. Default: the first four.",
                "thread is nio; virtual is for the service, from JDK 21 on."})
    private List<Api> apis = new ArrayList<>();

    @Option(names = "--works", split = ",", paramLabel = "WORK", completionCandidates = WorkNames.class,
            description = {"What to do: ${COMPLETION-CANDIDATES}. Default: all but start, exs, virtual and plain.",
                "start has APIs and times of its own, exs an API."})
    private List<String> works = new ArrayList<>();

    @Mixin
    private ServiceOptions services = new ServiceOptions();

    @Mixin
    private ExsOptions streams = new ExsOptions();

    @Option(names = "--sizes", split = ",", paramLabel = "SIZE", converter = SizeConverter.class,
            description = "Message lengths for roundtrip, stream and exs, such as 64,4k,1m. Default: those of the"
                    + " work.")
    private List<Integer> sizes = new ArrayList<>();

    @Option(names = {"--repeat", "--turns"}, paramLabel = "N",
            description = "Measure each N times and take the median. Default: 3, quick 1.")
    private Integer repeat;

    @Option(names = {"--duration", "--seconds"}, paramLabel = "SECONDS",
            description = "Measure for so long each time. Default: 0.75, quick 0.25; a service 1.5, quick 1.")
    private Double seconds;

    @Option(names = "--warm-up", paramLabel = "SECONDS",
            description = "Warm up for so long each time; a service shows this time's figures too. Default: 0.5,"
                    + " quick 0.15; a service 2.")
    private Double warmUpSeconds;

    @Option(names = "--quick",
            description = "End soon: fewer services and sizes, shorter, once; long works with the first API only.")
    private boolean quick;

    @Option(names = "--java", paramLabel = "HOME",
            description = "Run the JVMs under test from this JDK. Default: the one that runs the benchmark.")
    private Path javaHome = Path.of(System.getProperty("java.home"));

    @Option(names = "--jvm-arg", paramLabel = "ARG",
            description = "One more argument for every JVM under test, such as -Xint or a setting,"
                    + " -Drsockets4j.spin.micros=0. May be repeated.")
    private List<String> jvmArguments = new ArrayList<>();

    @Option(names = "--address", paramLabel = "ADDRESS",
            description = "Connect through this address of the host; rdma needs one of an RDMA device. Default:"
                    + " loopback.")
    private String address;

    @Option(names = "--agent", paramLabel = "JAR",
            defaultValue = "${sys:rsockets4j.bench.root:-.}/agent/target/rsockets4j.jar",
            description = "The agent. Default: agent/target/rsockets4j.jar.")
    private Path agentJar;

    @Option(names = "--agentlib",
            description = "Load the agent by -agentlib:instrument, with which JVMs start faster, not by -javaagent.")
    private boolean agentlib;

    /** Checks the options and puts the defaults in place. */
    RunSettings settings() {
        Jvms jvms = new Jvms(javaHome, agentJar, agentlib, allJvmArguments());
        List<Job> jobs = jobs();
        List<Work> named = works.isEmpty() ? Works.usual() : named(works);
        List<PathSetup> routes = routes(named, jobs);
        if (routes.stream().noneMatch(PathSetup.TCP::equals)
                && jobs.stream().anyMatch(job -> job.work().pace().isPresent())) {
            throw new IllegalArgumentException("--loop: an open loop goes by TCP's rate, so --paths must have tcp");
        }
        boolean virtual = jvms.feature() >= VirtualThreadStarter.SINCE;
        return new RunSettings(
                routes,
                apis.isEmpty() ? USUAL_APIS : apis,
                named,
                jobs.stream().filter(job -> virtual || job.api() != Api.VIRTUAL).toList(),
                sizes,
                (int) positive("--repeat", repeat == null ? quick ? 1 : FULL_REPEAT : repeat),
                warmUp(),
                measured(),
                quick,
                virtual || jobs.stream().noneMatch(job -> job.api() == Api.VIRTUAL)
                        ? List.of()
                        : List.of("Virtual threads are left out: they need JDK " + VirtualThreadStarter.SINCE
                                + " or later, the JVMs under test are of " + jvms.feature() + "."),
                jvms);
    }

    /** The paths to compare: those that were named, else the usual ones, or what suits the works. */
    private List<PathSetup> routes(List<Work> named, List<Job> jobs) {
        List<PathSetup> chosen = paths;
        if (paths.isEmpty()) {
            boolean isUsual = !jobs.isEmpty() || named.stream().anyMatch(work -> work.suits(PathSetup.TCP));
            chosen = isUsual ? USUAL_ROUTES : Stream.of(PathSetup.values())
                    .filter(route -> named.stream().allMatch(work -> work.suits(route)))
                    .toList();
        }
        List<Work> all = Stream.concat(named.stream(), jobs.stream().map(Job::work)).toList();
        for (Work work : all) {
            if (chosen.stream().noneMatch(work::suits)) {
                throw new IllegalArgumentException("--paths: " + work + " goes by none of these: " + chosen);
            }
        }
        return chosen;
    }

    /** What has an API and times of its own. */
    private List<Job> jobs() {
        List<Job> jobs = new ArrayList<>();
        if (works.isEmpty() || works.contains(Service.FAMILY)) {
            jobs.addAll(services.jobs(
                    apis,
                    quick,
                    duration("--warm-up", warmUpSeconds, SERVICE_FIRST_SECONDS, SERVICE_FIRST_SECONDS),
                    duration("--duration", seconds, SERVICE_QUICK_SECONDS, SERVICE_FULL_SECONDS)));
        }
        if (works.contains(Start.FAMILY)) {
            jobs.addAll(Start.jobs());
        }
        if (works.contains(Exs.FAMILY)) {
            jobs.addAll(streams.jobs(sizes, quick, warmUp(), measured()));
        }
        return jobs;
    }

    private Duration warmUp() {
        return duration("--warm-up", warmUpSeconds, QUICK_WARM_UP_SECONDS, FULL_WARM_UP_SECONDS);
    }

    private Duration measured() {
        return duration("--duration", seconds, QUICK_SECONDS, FULL_SECONDS);
    }

    private static List<Work> named(List<String> names) {
        return names.stream()
                .filter(name -> !FAMILIES.contains(name))
                .map(Works::of)
                .toList();
    }

    private List<String> allJvmArguments() {
        List<String> arguments = new ArrayList<>(jvmArguments);
        if (address != null) {
            arguments.add("-D" + ServerHost.PROPERTY + "=" + address);
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

    /** Finds an API by its name. */
    static final class ApiConverter implements ITypeConverter<Api> {
        @Override
        public Api convert(String value) {
            return OptionValue.read(value, Api::of);
        }
    }

    /** Lists the APIs' names. */
    static final class ApiNames extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        ApiNames() {
            for (Api api : Api.values()) {
                add(api.toString());
            }
            add(Api.THREAD);
        }
    }

    /** Reads a size. */
    static final class SizeConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return OptionValue.read(value, Sizes::parse);
        }
    }

    /** Lists the works' names. */
    static final class WorkNames extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        WorkNames() {
            addAll(FAMILIES);
            Works.all().forEach(work -> add(work.name()));
        }
    }
}
