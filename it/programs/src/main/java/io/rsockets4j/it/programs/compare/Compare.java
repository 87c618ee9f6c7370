/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures programs by turns over TCP and with the agent, and writes one table. */
@Command(name = "it/programs/run compare", mixinStandardHelpOptions = true, showDefaultValues = true,
        description = {"Measures programs by turns over TCP and with the agent, both sides in own processes.",
            "Both pairs of processes live at the same time, and warm up first. One is idle while the other works.",
            "Takes about 25 s for each program; with --long about three and a half minutes."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all programs were measured", "1:a program failed, or its connections went by TCP"})
public final class Compare implements Callable<Integer> {
    private static final Path HOME = Path.of(System.getProperty("programs.home", "")).toAbsolutePath();
    private static final int LONG_TURNS = 5;
    private static final int LONG_SECONDS = 10;
    private static final int LONG_WARM_UP = 30;
    private static final double MILLIS = 1_000;
    private static final long SPARE_SECONDS = 120;

    @Parameters(paramLabel = "PROGRAM", description = "What to measure; all of them if there is none.",
            converter = ProgramConverter.class)
    private List<Program> programs = List.of(Program.values());

    @Option(names = {"-l", "--list"}, description = "List the programs.")
    private boolean list;

    @Option(names = "--turns", description = "Turns of each path.")
    private int turns = 3;

    @Option(names = "--seconds", description = "Length of a turn.")
    private double seconds = 2;

    @Option(names = "--warm-up", description = "Seconds that each path warms up before the first turn.")
    private double warmUp = 3;

    @Option(names = "--long", description = "The same as --turns 5 --seconds 10 --warm-up 30.")
    private boolean isLong;

    @Option(names = "--jvm-arg", paramLabel = "ARG", description = "For all JVMs of both paths. Repeatable.")
    private List<String> jvmArgs = List.of();

    @Option(names = "--agent-args", paramLabel = "ARGS", description = "Settings of the agent, as spin.micros=0.")
    private String agentArgs = "";

    @Option(names = "--agent", paramLabel = "JAR", description = "The agent.")
    private Path agent = HOME.resolve("../../agent/target/rsockets4j.jar").normalize();

    @Option(names = "--out", paramLabel = "DIR", description = "Where table, JSON and logs go.")
    private Path out = HOME.resolve("target/compare");

    /**
     * Parses the options, measures, and ends the process.
     *
     * @param args as {@code --help} says
     */
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(
                () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        System.exit(new CommandLine(new Compare()).execute(args));
    }

    private static final class ProgramConverter implements CommandLine.ITypeConverter<Program> {
        @Override
        public Program convert(String name) {
            try {
                return Program.named(name);
            } catch (IllegalArgumentException e) {
                throw new CommandLine.TypeConversionException(e.getMessage());
            }
        }
    }

    @Override
    public Integer call() throws IOException {
        if (list) {
            programs.forEach(program -> System.out.printf("%-16s %s%n", program, program.text()));
            return 0;
        }
        if (isLong) {
            turns = LONG_TURNS;
            seconds = LONG_SECONDS;
            warmUp = LONG_WARM_UP;
        }
        List<Comparison> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        System.out.println(ComparisonTable.head());
        for (Program program : programs) {
            measure(program, rows, notes);
        }
        System.out.println(ComparisonTable.foot());
        notes.forEach(System.out::println);
        write(rows, notes);
        return notes.isEmpty() ? 0 : 1;
    }

    private void measure(Program program, List<Comparison> rows, List<String> notes) {
        if (!program.runsOn(Runtime.version().feature())) {
            System.out.printf("%-13s needs a newer Java%n", program);
            return;
        }
        try {
            Comparison row = compare(program);
            rows.add(row);
            System.out.println(ComparisonTable.line(row));
            if (!row.isByMemory()) {
                notes.add(program + ": not all connections went by shared memory: " + row.connections());
            }
        } catch (IOException e) {
            System.out.printf("%-13s FAILED: %s%n", program, e.getMessage());
            notes.add(program + " failed: " + e.getMessage());
        }
    }

    private Comparison compare(Program program) throws IOException {
        Path directory = out.toAbsolutePath().resolve(program.toString());
        List<Turn> tcp = new ArrayList<>();
        List<Turn> ours = new ArrayList<>();
        ProgramPair shared;
        try (ProgramPair plain = new ProgramPair(program, java(false), directory.resolve("tcp"));
                ProgramPair agents = new ProgramPair(program, java(true), directory.resolve("ours"))) {
            shared = agents;
            CompletableFuture<Void> limit = CompletableFuture.runAsync(() -> {
                plain.kill();
                agents.kill();
            }, CompletableFuture.delayedExecutor(limitSeconds(), TimeUnit.SECONDS));
            plain.awaitReady();
            agents.awaitReady();
            plain.turn(length(warmUp));
            agents.turn(length(warmUp));
            for (int i = 0; i < turns; i++) {
                tcp.add(plain.turn(length(seconds)));
                ours.add(agents.turn(length(seconds)));
            }
            limit.cancel(false);
        }
        return Comparison.of(program, tcp, ours, shared.connections());
    }

    private static Duration length(double seconds) {
        return Duration.ofMillis(Math.round(seconds * MILLIS));
    }

    private long limitSeconds() {
        return SPARE_SECONDS + Math.round(2 * (warmUp + turns * seconds));
    }

    /** The java command that this JVM was started by, with the options that all JVMs have. */
    private List<String> java(boolean withAgent) {
        Path keys = HOME.resolve("target/keys.p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g",
                "-Djava.rmi.server.hostname=127.0.0.1",
                "-Djavax.net.ssl.keyStore=" + keys,
                "-Djavax.net.ssl.keyStorePassword=programs",
                "-Djavax.net.ssl.trustStore=" + keys,
                "-Djavax.net.ssl.trustStorePassword=programs",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        command.addAll(jvmArgs);
        if (withAgent) {
            command.add("-javaagent:" + agent.toAbsolutePath() + "=paths=shm,tcp,summary=true"
                    + (agentArgs.isEmpty() ? "" : "," + agentArgs));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }

    private void write(List<Comparison> rows, List<String> notes) throws IOException {
        List<String> lines = new ArrayList<>(List.of(ComparisonTable.head()));
        rows.stream().map(ComparisonTable::line).forEach(lines::add);
        lines.add(ComparisonTable.foot());
        lines.addAll(notes);
        Files.createDirectories(out);
        Files.write(out.resolve("table.txt"), lines);
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("java", System.getProperty("java.runtime.version"));
        report.put("processors", Runtime.getRuntime().availableProcessors());
        report.put("load", Files.readString(Path.of("/proc/loadavg")).trim());
        report.put("turns", turns);
        report.put("seconds", seconds);
        report.put("warmUp", warmUp);
        report.put("jvmArgs", jvmArgs);
        report.put("agentArgs", agentArgs);
        report.put("programs", rows);
        report.put("notes", notes);
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(out.resolve("table.json").toFile(), report);
        System.out.println("written: " + out.resolve("table.txt") + ", " + out.resolve("table.json"));
    }
}
