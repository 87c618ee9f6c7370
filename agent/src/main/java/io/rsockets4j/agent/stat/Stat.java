/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.stat;

import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.stat.ProcessSnapshot;
import io.rsockets4j.core.stat.StatClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the live connections, or sessions over RDMA, of all processes of this user that have rsockets4j. */
@Command(name = "stat", mixinStandardHelpOptions = true,
        description = {"Shows the live connections of all your JVMs on this host that have rsockets4j.",
            "A JVM is seen from its first socket on. Where they have a setting shm.dir, give it here too:",
            "java -Drsockets4j.shm.dir=DIR -jar rsockets4j.jar stat"})
public final class Stat implements Callable<Integer> {
    private static final String DEFAULT_SECONDS = "2";

    @Option(names = "--watch", paramLabel = "SECONDS", arity = "0..1", fallbackValue = DEFAULT_SECONDS,
            description = "Show them again and again, by default every " + DEFAULT_SECONDS + " seconds.")
    private Integer watchSeconds;

    @Option(names = "--links", description = {"Show the sessions over RDMA instead: each is a link, a queue pair, which"
        + " all connections to one address of a process share. GID is the number that 'doctor' has for it."})
    private boolean links;

    @Option(names = "--json", description = "Print JSON, one line each time.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** Creates the command, for picocli. */
    public Stat() { }

    @Override
    public Integer call() throws InterruptedException {
        if (watchSeconds != null && watchSeconds < 1) {
            throw new ParameterException(spec.commandLine(), "--watch " + watchSeconds + " is less than 1 second");
        }
        boolean shown = show();
        while (shown && watchSeconds != null) {
            TimeUnit.SECONDS.sleep(watchSeconds);
            shown = show();
        }
        return shown ? 0 : 1;
    }

    private static String nobody(String directory) {
        return "rsockets4j: no JVM of user " + System.getProperty("user.name") + " with rsockets4j has used a socket"
                + " yet, as far as " + directory + " shows; run 'stat' as the user who runs the program, and with its"
                + " rsockets4j.shm.dir";
    }

    /** The line above what {@code --watch} shows each time. */
    static String heading(LocalTime now) {
        return DateTimeFormatter.ISO_LOCAL_TIME.format(now.truncatedTo(ChronoUnit.SECONDS));
    }

    private boolean show() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            String directory = Settings.from(System.getProperties()).shmDirectory();
            List<ProcessSnapshot> processes =
                    StatClient.processes(directory, what -> err.println("rsockets4j: " + what));
            long now = System.currentTimeMillis();
            Report report = links ? new SessionReport(processes, now) : new ConnectionReport(processes, now);
            List<String> lines = json ? List.of(report.json()) : report.lines();
            if (watchSeconds != null && !json) {
                out.println(heading(LocalTime.now()));
            }
            lines.forEach(out::println);
            out.flush();
            if (!json && processes.isEmpty()) {
                err.println(nobody(directory));
            }
            return !out.checkError(); // whoever reads may have gone
        } catch (IOException e) {
            err.println("rsockets4j: cannot look for processes: " + e.getMessage());
            return false;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            err.flush();
        }
    }
}
