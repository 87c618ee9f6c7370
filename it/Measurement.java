/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the programs that measure here have in common; the launcher of source files finds it beside them. */
final class Measurement {
    private Measurement() { }

    /** Starts this program once more, with the same options, such as the agent's, and waits until it says something. */
    static Process startServer(String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add(System.getProperty("jdk.launcher.sourcefile"));
        command.addAll(List.of(args));
        Process server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        if (server.inputReader().readLine() == null) {
            throw new IllegalStateException("the server does not listen");
        }
        return server;
    }

    /** Prints the median, as the script figures prints its own. */
    static void print(String title, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf("figure: %-40s %10.2f us   p50 of %d%n", title, nanos[nanos.length / 2] / 1e3, nanos.length);
    }
}
