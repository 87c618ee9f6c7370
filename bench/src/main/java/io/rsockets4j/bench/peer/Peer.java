/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rsockets4j.bench.net.Server;
import io.rsockets4j.bench.work.CorruptionException;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.Works;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Takes one command after the other, as a server or a client or both. */
public final class Peer {
    private final PrintStream out;
    private final List<Server> servers = new ArrayList<>();

    Peer(PrintStream out) {
        this.out = out;
    }

    /**
     * Serves commands from standard input until it ends.
     *
     * @param args none
     * @throws InterruptedException never: nothing interrupts the main thread
     */
    public static void main(String[] args) throws InterruptedException {
        CommandQueue commands = CommandQueue.reading(new BufferedReader(new InputStreamReader(System.in, UTF_8)));
        new Peer(System.out).run(commands);
    }

    void run(CommandQueue commands) throws InterruptedException {
        answer(Protocol.READY + System.getProperty("java.vm.name") + ' ' + System.getProperty("java.runtime.version"));
        for (String command = commands.take(); command != null; command = commands.take()) {
            answer(obey(command));
        }
    }

    /** Says all that went wrong in one line, and in full on standard error. */
    private String obey(String command) {
        try {
            return dispatch(command);
        } catch (Exception e) {
            e.printStackTrace();
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            String prefix = cause instanceof CorruptionException ? Protocol.CORRUPT : Protocol.FAILED;
            return prefix + cause.toString().replace('\n', ' ');
        }
    }

    private String dispatch(String command) throws Exception {
        if (command.startsWith(Protocol.SERVE)) {
            return serve(Works.parseJob(command.substring(Protocol.SERVE.length())));
        } else if (command.startsWith(Protocol.DRIVE)) {
            var stage = Protocol.parseDrive(command);
            return Protocol.values(stage.job().work().drive(stage));
        } else if (command.equals(Protocol.STOP)) {
            return stop();
        }
        throw new IllegalArgumentException("unknown command \"" + command + '"');
    }

    private String serve(Job job) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < job.work().servers(); i++) {
            Server server = job.work().serve(job);
            servers.add(server);
            ports.add(server.port());
        }
        return Protocol.ports(ports);
    }

    private String stop() throws IOException {
        for (Server server : servers) {
            server.close();
        }
        servers.clear();
        return Protocol.MARK + "stopped";
    }

    private void answer(String line) {
        out.println(line);
        out.flush();
    }
}
