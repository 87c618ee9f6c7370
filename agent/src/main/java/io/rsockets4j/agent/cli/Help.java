/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the usage of the command line or of one command, every setting, or every reason. */
@Command(name = "help", description = "Prints help on a command, or with 'config' every setting, or with 'reasons'"
        + " why connections take their paths.")
final class Help implements Callable<Integer> {
    private static final String CONFIG = "config";
    private static final String REASONS = "reasons";

    @Parameters(arity = "0..1", paramLabel = "TOPIC", description = "The name of a command, 'config' or 'reasons'.")
    private String topic;

    @Option(names = "--markdown", description = "Print 'config' or 'reasons' as the page in docs/.")
    private boolean markdown;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine main = spec.parent().commandLine();
        PrintWriter out = main.getOut();
        if (CONFIG.equals(topic)) {
            out.print(Reference.config(markdown));
        } else if (REASONS.equals(topic)) {
            out.print(Reference.reasons(markdown));
        } else if (topic == null) {
            main.usage(out);
        } else if (main.getSubcommands().containsKey(topic)) {
            main.getSubcommands().get(topic).usage(out);
        } else {
            String message = "There is no help on '" + topic + "'; try 'config', 'reasons' or one of "
                    + main.getSubcommands().keySet();
            throw new CommandLine.ParameterException(spec.commandLine(), message);
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
