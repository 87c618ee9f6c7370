/* SPDX-License-Identifier: Apache-2.0 */

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the programs that measure here have in common; the launcher of source files finds it beside them. */
final class Measurement {
    /** The last argument of the process that serves. */
    static final String SERVE = "serve";

    private Measurement() { }

    /** A program that is measured: one of it serves, the other one measures. */
    interface Side {
        /** Prints a line as soon as it listens. Ends when it is killed, or when the other one has gone. */
        void serve() throws Throwable;

        /** Prints the figures. */
        void measure() throws Throwable;
    }

    /** Measures, against a second process of this program; or serves, in that process. */
    static void run(Side side, String... args) throws Throwable {
        if (args[args.length - 1].equals(SERVE)) {
            side.serve();
            return;
        }
        Process server = startServer(args);
        try {
            side.measure();
        } finally {
            server.destroy();
        }
    }

    /** Starts this program once more, with the same options, such as the agent's, and waits until it says something. */
    private static Process startServer(String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add(System.getProperty("jdk.launcher.sourcefile"));
        command.addAll(List.of(args));
        command.add(SERVE);
        Process server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        if (server.inputReader().readLine() == null) {
            throw new IllegalStateException("the server does not listen");
        }
        return server;
    }

    /** What is measured once. */
    interface Turn {
        /** Returns the figures. */
        String measure() throws Throwable;
    }

    /**
     * Measures in vain until everything is compiled, and says that it is warm; then once for each line of the input, so
     * that it can be done by turns with other programs. Prints a line for each.
     */
    static void byTurns(int warmUpSeconds, Turn turn) throws Throwable {
        for (long until = System.nanoTime() + warmUpSeconds * 1_000_000_000L; System.nanoTime() - until < 0;) {
            turn.measure();
        }
        System.out.println("warm");
        BufferedReader turns = new BufferedReader(new InputStreamReader(System.in));
        while (turns.readLine() != null) {
            System.out.println(turn.measure());
        }
    }

    /** Prints the median, as the script figures prints its own. */
    static void print(String title, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf("figure: %-40s %10.2f us   p50 of %d%n", title, nanos[nanos.length / 2] / 1e3, nanos.length);
    }
}
