/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import io.rsockets4j.bench.report.BenchReport;
import io.rsockets4j.bench.report.HtmlPage;
import io.rsockets4j.bench.report.JsonFile;
import io.rsockets4j.bench.report.MarkdownTable;
import io.rsockets4j.bench.report.ReportBuilder;
import io.rsockets4j.bench.report.TextTable;
import io.rsockets4j.bench.run.Failure;
import io.rsockets4j.bench.run.Plan;
import io.rsockets4j.bench.run.Progress;
import io.rsockets4j.bench.run.RunResult;
import io.rsockets4j.bench.run.RunSettings;
import io.rsockets4j.bench.run.Runner;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares sockets over TCP with the same sockets over rsockets4j, in unmodified programs. */
@Command(
        name = "./rsockets bench",
        customSynopsis = "./rsockets bench [OPTION...]",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Runs unmodified server and client JVMs over each path in turn and compares what they measure.",
            "Ends with status 0, or 1 if a measurement failed or bytes arrived wrong."
        })
public final class Bench implements Callable<Integer> {
    private static final double BUSY_LOAD = 0.7;
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    @Spec
    private CommandSpec spec;

    @Mixin
    private Options options = new Options();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results and the environment as JSON.")
    private Path json;

    @Option(names = "--html", paramLabel = "FILE",
            defaultValue = "${sys:rsockets4j.bench.root:-.}/bench/target/report.html",
            description = "Write a report with plots. Default: bench/target/report.html.")
    private Path html;

    @Option(names = "--markdown", description = "Print the tables as a page in Markdown has them.")
    private boolean markdown;

    @Option(names = "--from", paramLabel = "FILE",
            description = "Measure nothing: show the results of a former run, from its JSON file.")
    private Path former;

    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    private boolean help;

    Bench() {}

    /**
     * Runs the benchmark and exits.
     *
     * @param args the command line, see {@code --help}
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() throws IOException {
        BenchReport report = former == null ? measure() : JsonFile.read(former);
        PrintStream out = System.out;
        out.print(markdown ? MarkdownTable.render(report) : TextTable.render(report));
        out.println();
        out.println("Round trips: p50 (p99, p99.9). Asked: " + report.count(true) + " ok, " + report.count(false)
                + " short.");
        if (json != null) {
            JsonFile.write(report, json);
            out.println("Results: " + json);
        }
        HtmlPage.write(report, html);
        out.println("Report: " + html);
        report.failures().forEach(failure -> out.println("FAILED " + failure.subject() + ": " + failure.reason()));
        if (report.failures().stream().anyMatch(Failure::corruption)) {
            out.println("BYTES ARRIVED WRONG: no figure of this run counts.");
        }
        return report.failures().isEmpty() ? 0 : 1;
    }

    private BenchReport measure() {
        RunSettings settings = settings();
        Plan plan = Plan.of(settings);
        int total = plan.count(settings.routes());
        double load = Environment.load();
        if (load > BUSY_LOAD) {
            System.err.printf("Something else is running here (load %.1f): expect figures that lie.%n", load);
        }
        settings.omissions().forEach(System.err::println);
        Path logs = html.toAbsolutePath().resolveSibling("failures");
        Progress progress = new Progress(System.err, isTerminal(), logs, total);
        RunResult outcome = new Runner(settings, progress).run(plan);
        progress.finish();
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        return ReportBuilder.build(
                Environment.collect(load, outcome.jvm(), arguments),
                settings.routes(),
                settings.jvms().arguments(),
                outcome);
    }

    private RunSettings settings() {
        try {
            return options.settings();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Whether standard error is a terminal; Java's own question, the console, is about the other streams. */
    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }
}
