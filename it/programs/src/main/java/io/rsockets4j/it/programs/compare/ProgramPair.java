/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server process and a client process of one program, over one path. They are idle between turns. */
final class ProgramPair implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("^listening on port (\\d+)$", Pattern.MULTILINE);
    private static final Pattern SUMMARY =
            Pattern.compile("^rsockets4j: connections shm=(\\d+) tcp=(\\d+)", Pattern.MULTILINE);
    private static final long START_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long POLL_MILLIS = 20;
    private static final long END_LIMIT_SECONDS = 10;
    private static final double NANOS_PER_MICRO = 1_000;

    private final ObjectMapper json = new ObjectMapper();
    private final Path directory;
    private final Process server;
    private Process client;
    private BufferedReader answers;
    private Writer orders;

    /**
     * Starts the server.
     *
     * @param java the java command, its options and class path
     * @param directory for the logs, and the processes' current one; is made, and emptied
     */
    ProgramPair(Program program, List<String> java, Path directory) throws IOException {
        this.directory = directory;
        empty(directory);
        int port = freePort();
        List<String> command = new ArrayList<>(java);
        for (String part : program.command()) {
            command.add(part.replace(Program.PORT, Integer.toString(port))
                    .replace(Program.OTHER_PORT, Integer.toString(freePort())));
        }
        boolean told = !command.equals(concat(java, program.command()));
        server = start(command, log("server"));
        try {
            startClient(program, java, awaitListener(told ? port : 0));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startClient(Program program, List<String> java, int port) throws IOException {
        client = start(concat(java, List.of(LoadClient.class.getName(), program.toString(), Integer.toString(port),
                Integer.toString(program.clients()))), null);
        answers = client.inputReader();
        orders = client.outputWriter();
    }

    private Process start(List<String> command, File output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        if (output != null) {
            return builder.redirectErrorStream(true).redirectOutput(output).start();
        }
        return builder.redirectError(log("client")).start();
    }

    private File log(String side) {
        return directory.resolve(side + ".log").toFile();
    }

    private static List<String> concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void empty(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
            }
        }
        Files.createDirectories(directory);
    }

    /** Waits until the server listens: where it was told to, or, where that is 0, where it says. Returns the port. */
    private int awaitListener(int told) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT_NANOS;
        while (server.isAlive() && System.nanoTime() < deadline) {
            Matcher said = LISTENING.matcher(Files.readString(log("server").toPath()));
            if (told == 0 && said.find()) {
                return Integer.parseInt(said.group(1));
            }
            if (told != 0 && listens(told)) {
                return told;
            }
            sleep();
        }
        throw new IOException("the server did not start, see " + log("server"));
    }

    /** Whether something listens; our path is there a moment later, long before a client's JVM has started. */
    private static boolean listens(int port) {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException e) {
            return false; // not yet
        }
    }

    private static void sleep() throws IOException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Waits until all clients have connected. */
    void awaitReady() throws IOException {
        answer();
    }

    /** Makes one turn. */
    Turn turn(Duration length) throws IOException {
        Duration before = cpu();
        orders.write(length.toMillis() + "\n");
        orders.flush();
        LoadClient.Figures figures = json.readValue(answer(), LoadClient.Figures.class);
        double cpuNanos = cpu().minus(before).toNanos();
        return new Turn(figures.operations() * (double) TimeUnit.SECONDS.toNanos(1) / figures.nanos(),
                figures.p50Nanos() / NANOS_PER_MICRO, figures.p99Nanos() / NANOS_PER_MICRO,
                cpuNanos / NANOS_PER_MICRO / figures.operations());
    }

    private Duration cpu() {
        return Stream.of(server, client)
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(LoadClient.ANSWER)) {
                return line.substring(LoadClient.ANSWER.length());
            }
        }
        throw new IOException("the client ended, see " + log("client"));
    }

    /** Ends both processes, the client first. */
    @Override
    public void close() {
        if (client != null) {
            end(client);
        }
        end(server);
    }

    /** Ends both at once. Whoever waits for an answer then gets none. */
    void kill() {
        if (client != null) {
            client.destroyForcibly();
        }
        server.destroyForcibly();
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Says how the client's connections went; once both have ended.
     *
     * @return for example {@code shm=4 tcp=0}, or that there is no summary
     */
    String connections() {
        try {
            Matcher summary = SUMMARY.matcher(Files.readString(log("client").toPath()));
            return summary.find() ? "shm=" + summary.group(1) + " tcp=" + summary.group(2) : "no summary";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
