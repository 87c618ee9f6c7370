/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * JMH with its own options, for the benchmarks of this package. The forked virtual machines run under the agent, and
 * the allocations per call are shown unless another profiler is asked for.
 */
public final class Benchmarks {
    private Benchmarks() { }

    /**
     * Runs the benchmarks.
     *
     * @param args JMH's options; {@code -h} lists them
     */
    public static void main(String[] args) throws IOException {
        try {
            CommandLineOptions options = new CommandLineOptions(args);
            if (options.shouldHelp() || options.shouldList() || options.shouldListWithParams()
                    || options.shouldListProfilers() || options.shouldListResultFormats()) {
                org.openjdk.jmh.Main.main(args);
                return;
            }
            new Runner(withDefaults(options).build()).run();
        } catch (CommandLineOptionException | RunnerException e) {
            System.err.println("rsockets jmh: " + e.getMessage());
            System.exit(1);
        }
    }

    private static ChainedOptionsBuilder withDefaults(CommandLineOptions options) {
        ChainedOptionsBuilder builder = new OptionsBuilder().parent(options);
        if (options.getProfilers().isEmpty()) {
            builder.addProfiler(GCProfiler.class);
        }
        List<String> jvmArgs = new ArrayList<>(options.getJvmArgsAppend().orElse(List.of()));
        jvmArgs.add("-javaagent:" + Path.of(System.getProperty("bench.agent")).toAbsolutePath() + "=summary=true");
        return builder.jvmArgsAppend(jvmArgs.toArray(String[]::new));
    }
}
