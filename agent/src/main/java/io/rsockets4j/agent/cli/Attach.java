/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.cli;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.rsockets4j.agent.Agent;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rsockets4j attach}: puts the agent into a running JVM, and says what it reaches there. */
@Command(name = "attach", mixinStandardHelpOptions = true, description = {
    "Puts rsockets4j into a running program.%n",
    "It then serves what the program opens; the listeners, connections and selectors that are open stay as they are."})
final class Attach implements Callable<Integer> {
    private static final int FAILED = 1;

    @Parameters(index = "0", paramLabel = "PID", description = "The JVM's process number, as jps lists it.")
    private long pid;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SETTINGS", defaultValue = "",
            description = "As after -javaagent:rsockets4j.jar=, for example paths=shm,tcp,log=info.")
    private String settings;

    @Override
    public Integer call() {
        Answer answer;
        try {
            answer = Loader.load(pid, settings);
        } catch (NoClassDefFoundError e) {
            answer = new Answer("this JVM lacks the module jdk.attach; use the java of a JDK", "");
        }
        if (!answer.failure().isEmpty()) {
            System.err.println("rsockets4j: not attached to " + pid + ": " + answer.failure());
            return FAILED;
        }
        System.out.println("rsockets4j is in process " + pid + ".");
        System.out.println("It serves the sockets, channels, selectors and listeners that the program opens from"
                + " now on.");
        System.out.println("Open listeners, connections and selectors stay as they are. A channel that one of those"
                + " selectors watches goes by TCP, and so does what a library opens by a provider that it has kept, as"
                + " Netty does. To reach all, start the program with -javaagent.");
        answer.limits().lines().forEach(limit -> System.out.println("But " + limit + "."));
        return 0;
    }

    /** What went wrong, or nothing; and what the agent has left to others, a line each. */
    private record Answer(String failure, String limits) { }

    /** Loaded where the module is there. */
    private static final class Loader {
        private Loader() { }

        /** Loads the agent. */
        static Answer load(long pid, String settings) {
            try {
                VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
                try {
                    machine.loadAgent(jar(), settings);
                    Properties properties = machine.getSystemProperties();
                    String outcome = properties.getProperty(Agent.OUTCOME, "its answer did not come");
                    return new Answer(outcome.replaceFirst("^rsockets4j: ", ""),
                            properties.getProperty(Agent.LIMITS, ""));
                } finally {
                    machine.detach();
                }
            } catch (AttachNotSupportedException | IOException e) {
                return new Answer(e.getMessage() + ". Is it a JVM, of your user, and in this container?", "");
            } catch (AgentLoadException | AgentInitializationException e) {
                return new Answer(e + "; the program's standard error says more", "");
            }
        }

        private static String jar() throws IOException {
            try {
                return new File(Attach.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                        .getAbsolutePath();
            } catch (URISyntaxException e) {
                throw new IOException("the path of rsockets4j.jar cannot be read: " + e.getMessage(), e);
            }
        }
    }
}
