/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.cli;

import io.rsockets4j.core.settings.Setting;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the usage of the command line or of one command, or every setting. */
@Command(name = "help", description = "Prints help on a command, or with 'config' every setting.")
final class Help implements Callable<Integer> {
    private static final String CONFIG = "config";

    @Parameters(arity = "0..1", paramLabel = "TOPIC", description = "The name of a command, or 'config'.")
    private String topic;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine main = spec.parent().commandLine();
        PrintWriter out = main.getOut();
        if (CONFIG.equals(topic)) {
            printSettings(out);
        } else if (topic == null) {
            main.usage(out);
        } else if (main.getSubcommands().containsKey(topic)) {
            main.getSubcommands().get(topic).usage(out);
        } else {
            String message = "There is no help on '" + topic + "'; try 'config' or one of "
                    + main.getSubcommands().keySet();
            throw new CommandLine.ParameterException(spec.commandLine(), message);
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static void printSettings(PrintWriter out) {
        out.println("Settings, as -javaagent:rsockets4j.jar=KEY=VALUE,... or as -Drsockets4j.KEY=VALUE each;");
        out.println("where both give one, the agent's counts. A list needs no quotes: paths=shm,tcp,summary=true");
        for (Setting setting : Setting.values()) {
            out.println();
            out.println(setting.key() + " = " + setting.defaultText());
            out.println("    " + setting.description());
            out.println("    Unit: " + setting.unit() + ". Allowed: " + setting.range() + ".");
        }
    }
}
