/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.engine.PathProbe;
import io.rsockets4j.core.engine.PathState;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.verbs.VerbsBindings;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says what this host lacks, what that means, and what mends it. Exits with 1 after an error, else with 0. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
        description = {"Checks whether this host has all that the paths need, and says what mends a lack.",
            "Give settings as to a program: java -Drsockets4j.KEY=VALUE -jar rsockets4j.jar doctor",
            "Exit status: 0 without errors (warnings do not count), 1 with errors, 2 for a wrong command line."})
public final class Doctor implements Callable<Integer> {
    private static final List<String> PATHS = List.of("shm", "rdma", "tcp");
    private static final String SHM = "shm";
    private static final String RDMA = "rdma";
    private static final int MAX_PORT = 65_535;

    @Option(names = "--peer", paramLabel = "HOST:PORT",
            description = "Try each path to a server: it gets a connection by each, which ends at once.")
    private String peer;

    @Option(names = "--json", description = "Print one line of JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** Creates the command, for picocli. */
    public Doctor() { }

    @Override
    public Integer call() {
        Diagnosis diagnosis = diagnose();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(diagnosis.json());
            out.flush();
        } else {
            diagnosis.print(out);
        }
        return diagnosis.level() == Severity.ERROR ? 1 : 0;
    }

    private Diagnosis diagnose() {
        InetSocketAddress address = peer == null ? null : address();
        try {
            Settings settings = Settings.from(System.getProperties());
            PathProbe probe = new PathProbe(settings);
            List<Finding> findings = checks(new Host(Path.of("/")), settings).stream()
                    .flatMap(check -> check.run().stream()).toList();
            List<PathState> paths = PATHS.stream()
                    .map(path -> address == null ? probe.here(path) : probe.to(path, address)).toList();
            return new Diagnosis(findings, peer, paths);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    static List<Check> checks(Host host, Settings settings) {
        boolean rdmaWanted = settings.paths().contains(RDMA);
        return List.of(
                new JavaCheck(Runtime.version(), rdmaWanted),
                new KernelCheck(host, rdmaWanted),
                new SharedMemoryCheck(host, settings.shmDirectory(), settings.ringBytes()),
                new LimitsCheck(host, rdmaWanted, settings.ringBytes()),
                new FutexCheck(Futex::load, settings.paths().contains(SHM)),
                new RdmaDevicesCheck(host, rdmaWanted),
                new DeviceFilesCheck(host, rdmaWanted),
                new VerbsCheck(host, VerbsBindings::load, rdmaWanted));
    }

    private InetSocketAddress address() {
        int colon = peer.lastIndexOf(':');
        String host = peer.substring(0, Math.max(0, colon)).replaceAll("^\\[|]$", "");
        String port = peer.substring(colon + 1);
        if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MAX_PORT) {
            throw new ParameterException(spec.commandLine(), "--peer " + peer + " is not of the form HOST:PORT");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(port));
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), "--peer " + peer + ": the host is not known", e);
        }
    }
}
