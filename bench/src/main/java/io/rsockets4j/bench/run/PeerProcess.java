/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rsockets4j.bench.peer.Protocol;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A running {@link io.rsockets4j.bench.peer.Peer}: takes one command at a time, from one thread. */
final class PeerProcess {
    private static final String ENDED = "";
    private static final Duration DUMP_TIME = Duration.ofSeconds(1);
    private static final Duration DRAIN_TIME = Duration.ofSeconds(2);
    private static final int MOST_LINES = 2_000;
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "kill"));
    }

    private final String name;
    private final Process process;
    private final BufferedWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>(MOST_LINES);
    private final Thread errorReader;

    private PeerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        read("output", process.getInputStream(), this::take, () -> answers.add(ENDED));
        errorReader = read("errors", process.getErrorStream(), this::keep, () -> {});
    }

    /** Starts a JVM; its first answer tells that it is ready. */
    static PeerProcess start(String name, List<String> command) throws PeerException {
        try {
            return new PeerProcess(name, startChild(command));
        } catch (IOException e) {
            throw new PeerException("cannot start the " + name + ": " + e.getMessage(), List.of(), false);
        }
    }

    /** Starts a process that will be killed when this JVM exits, if it still runs then. */
    private static Process startChild(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        RUNNING.add(process);
        process.onExit().thenAccept(RUNNING::remove);
        return process;
    }

    long pid() {
        return process.pid();
    }

    List<String> output() {
        return List.copyOf(output);
    }

    /** Gives a command and waits for its answer. */
    String ask(String command, Duration limit) throws PeerException {
        try {
            commands.write(command);
            commands.newLine();
            commands.flush();
        } catch (IOException e) {
            throw failure("is gone: " + e.getMessage());
        }
        return await(limit);
    }

    /** Waits for the next answer. One that does not come in time leaves a thread dump among the output. */
    String await(Duration limit) throws PeerException {
        try {
            String answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (answer == null) {
                dumpThreads();
                throw failure("did not answer within " + limit.toSeconds() + " s");
            } else if (answer.equals(ENDED)) {
                int status = process.waitFor();
                errorReader.join(DRAIN_TIME.toMillis()); // its last words tell why
                throw failure("exited with status " + status);
            } else if (answer.startsWith(Protocol.FAILED) || answer.startsWith(Protocol.CORRUPT)) {
                throw failure("failed: " + answer.substring(answer.indexOf(' ') + 1), answer);
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was abandoned");
        }
    }

    /** Ends the peer's input and waits for it to exit by itself. */
    void finish(Duration limit) throws PeerException {
        try {
            commands.close();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                dumpThreads();
                throw failure("did not exit within " + limit.toSeconds() + " s");
            }
            errorReader.join(limit.toMillis());
        } catch (IOException e) {
            throw failure("is gone: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was abandoned");
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    private void dumpThreads() throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(pid())).start().waitFor();
            Thread.sleep(DUMP_TIME.toMillis());
        } catch (IOException e) {
            keep("no thread dump: " + e.getMessage());
        }
    }

    private void take(String line) {
        if (!line.isEmpty() && line.charAt(0) == Protocol.MARK) {
            answers.add(line);
        } else {
            keep(line);
        }
    }

    /** Keeps the last lines. */
    private void keep(String line) {
        while (!output.offer(line)) {
            output.poll();
        }
    }

    private PeerException failure(String problem) {
        return failure(problem, "");
    }

    private PeerException failure(String problem, String answer) {
        return new PeerException("the " + name + ' ' + problem, output(), answer.startsWith(Protocol.CORRUPT));
    }

    private Thread read(String what, InputStream input, Consumer<String> lines, Runnable end) {
        Thread thread = new Thread(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(input, UTF_8))) {
                reader.lines().forEach(lines);
            } catch (IOException | java.io.UncheckedIOException e) {
                keep(what + ": " + e.getMessage());
            } finally {
                end.run();
            }
        });
        thread.setName(name + ' ' + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
