/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process that runs {@link Peer} with the agent, seen by who commands it. For one thread. */
final class Jvm {
    private static final int MOST_LINES = 40;
    /** The first line of a stack trace. */
    private static final Pattern FAILURE = Pattern.compile("(Exception in thread .*)?[\\w.$]+(Exception|Error)\\b");
    private final String name;
    private final Process process;
    private final Path log;
    private final PrintStream commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private boolean stopped;

    /**
     * Starts one.
     *
     * @param name of its log
     * @param options for java
     * @param arguments of the program
     */
    Jvm(String name, Path logs, List<String> options, String... arguments) throws IOException {
        this.name = name;
        this.log = logs.resolve(name + ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Peer.class.getName());
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        commands = new PrintStream(process.getOutputStream(), true);
        Thread reader = new Thread(this::readAnswers, name);
        reader.setDaemon(true);
        reader.start();
    }

    private void readAnswers() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("failed to answer: " + e);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean isStopped() {
        return stopped;
    }

    /** Tells it to do something; it answers when that is done. */
    void tell(String command) {
        commands.println(command);
    }

    /** Whether so many answers wait. */
    boolean hasAnswered(int count) {
        return answers.size() >= count;
    }

    /** Waits for its next answer; if that does not come, its threads are in its log. */
    String answer(int seconds) throws IOException, InterruptedException {
        String answer = answers.poll(seconds, TimeUnit.SECONDS);
        if (answer == null) {
            signal("QUIT");
            process.waitFor(5, TimeUnit.SECONDS);
            throw new AssertionError(name + " hangs, or has ended: no answer within " + seconds + " s." + log());
        }
        return answer;
    }

    /** Kills it, whatever it was at. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Makes sure that it has met no failure until now, though it has not answered yet. */
    void requireSound() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            if (!process.isAlive() || lines.anyMatch(line -> FAILURE.matcher(line).lookingAt())) {
                throw new AssertionError(name + " has failed." + log());
            }
        }
    }

    void stop() throws IOException, InterruptedException {
        stopped = true;
        signal("STOP");
    }

    void goOn() throws IOException, InterruptedException {
        stopped = false;
        signal("CONT");
    }

    /** Lets it end by itself. */
    void end(int seconds) throws IOException, InterruptedException {
        commands.close();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            signal("QUIT");
            process.waitFor(5, TimeUnit.SECONDS);
            throw new AssertionError(name + " does not end." + log());
        }
        if (process.exitValue() != 0) {
            throw new AssertionError(name + " ended with " + process.exitValue() + "." + log());
        }
    }

    /** The beginning of what it has written on standard error, as a part of a message. */
    String log() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.limit(MOST_LINES).collect(Collectors.joining("\n    ", " " + log + " begins:\n    ", ""));
        }
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).inheritIO().start().waitFor();
        if (code != 0) {
            throw new AssertionError(name + " has ended." + log());
        }
    }
}
