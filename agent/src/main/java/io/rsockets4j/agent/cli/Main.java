/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.cli;

import io.rsockets4j.agent.doctor.Doctor;
import io.rsockets4j.agent.stat.Stat;
import io.rsockets4j.core.engine.FirstClasses;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line: {@code java -jar rsockets4j.jar}. */
@Command(name = "rsockets4j", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        description = {"Sockets over RDMA and shared memory for unmodified Java programs.%n",
            "To put a program on them: java -javaagent:rsockets4j.jar=key=value,... PROGRAM",
            "The keys are listed by: java -jar rsockets4j.jar help config",
            "Why a connection is not faster: java -jar rsockets4j.jar help reasons%n"},
        subcommands = {Attach.class, Doctor.class, Help.class, Stat.class})
public final class Main implements Runnable {

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param args the command line
     * @throws IOException if the jar cannot be read
     */
    public static void main(String[] args) throws IOException {
        try {
            FirstClasses.ofCommandLine();
        } catch (IllegalAccessError e) { // the manifest's exports count for -jar alone
            System.err.println("rsockets4j: the command line is started by: java -jar rsockets4j.jar");
            System.exit(1);
        }
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main());
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }

    /** The version, and what this jar lacks, which depends on the JDK that it was built with. */
    static final class Version implements IVersionProvider {
        private static final String FOREIGN = "META-INF/versions/22/io/rsockets4j/core/verbs/ffm/FfmBinding.class";

        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            if (version == null) {
                return new String[] {"rsockets4j (not from a jar)"};
            }
            String line = "rsockets4j " + version;
            return Main.class.getClassLoader().getResource(FOREIGN) != null ? new String[] {line}
                    : new String[] {line, "This jar lacks the part for Java 22 and later, which uses java.lang.foreign:"
                            + " it was built with an older JDK."};
        }
    }
}
