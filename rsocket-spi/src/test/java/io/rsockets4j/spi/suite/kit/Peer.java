/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Another virtual machine that runs {@link PeerMain}, on the machine of the {@link PeerHost} that the system property
 * {@code suite.peer.host} names, or else on this one. It says what it does line by line on its standard output, and
 * ends when its standard input does, so none outlives the tests.
 */
public final class Peer implements AutoCloseable {
    private static final String HOST = "suite.peer.host";
    private static final long PATIENCE_SECONDS = 20L * Machine.SLOWNESS;

    private final String commandLine;
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final StringBuffer errors = new StringBuffer();

    private Peer(List<String> commandLine) throws IOException {
        String host = System.getProperty(HOST);
        this.commandLine = String.join(" ", commandLine);
        process = host == null ? new ProcessBuilder(commandLine).start() : RemoteProcess.start(host, commandLine);
        reader("out", new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8), lines::add);
        reader("err", new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8),
                line -> errors.append(line).append(System.lineSeparator()));
    }

    /**
     * Starts a virtual machine with the class path of this one.
     *
     * @param options its options
     * @param command what it is to do, and with what; see {@link PeerMain}
     * @return the running peer
     * @throws IOException when it cannot be started
     */
    public static Peer start(List<String> options, String... command) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", System.getProperty("java.class.path")));
        line.addAll(Machine.peerOptions());
        line.addAll(options);
        line.add(PeerMain.class.getName());
        line.addAll(List.of(command));
        return new Peer(line);
    }

    /**
     * Waits for a line of output.
     *
     * @param word the line's first word, which it must have
     * @return the rest of the line
     * @throws InterruptedException when interrupted
     */
    public String expect(String word) throws InterruptedException {
        String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (line == null || !line.startsWith(word)) {
            String state = process.isAlive() ? "which runs" + killWithDump()
                    : "which ended with " + process.exitValue();
            throw new AssertionError("expected '" + word + "', got " + line + " by " + commandLine + ", " + state + ": "
                    + errors);
        }
        return line.substring(word.length()).strip();
    }

    /**
     * Kills the process as {@code kill -9} does, and waits until it is gone.
     *
     * @throws InterruptedException when interrupted
     */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitExit();
    }

    /**
     * Sends a signal.
     *
     * @param name as {@code kill} knows it, for instance {@code STOP}
     * @throws IOException when it cannot be sent
     * @throws InterruptedException when interrupted
     */
    public void signal(String name) throws IOException, InterruptedException {
        if (process instanceof RemoteProcess remote) {
            remote.signal(name);
            return;
        }
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
        if (exit != 0) {
            throw new IOException("kill -" + name + " ended with " + exit);
        }
    }

    /**
     * Waits for the end of the process.
     *
     * @return its exit code
     * @throws InterruptedException when interrupted
     */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still runs" + killWithDump());
        }
        return process.exitValue();
    }

    /** @return what the process has written to its standard error so far */
    public String errors() {
        return errors.toString();
    }

    /** Tells the process to end, by the end of its standard input, or else kills it. Not ended by an interrupt. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new IOException("did not end by itself" + killWithDump(), e);
        }
    }

    /** Has the process write the stacks of its threads, as a virtual machine does when told to quit, and kills it. */
    private String killWithDump() {
        try {
            signal("QUIT");
            process.waitFor(1, TimeUnit.SECONDS);
        } catch (IOException e) {
            errors.append(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        return ": " + commandLine + ": " + errors + String.join(System.lineSeparator(), lines);
    }

    /** What to do with each line. */
    private interface Sink {
        void accept(String line);
    }

    private static void reader(String name, InputStreamReader source, Sink sink) {
        Thread thread = new Thread(() -> {
            try (BufferedReader reader = new BufferedReader(source)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    sink.accept(line);
                }
            } catch (IOException e) {
                sink.accept("broken " + e);
            }
        }, "peer-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
