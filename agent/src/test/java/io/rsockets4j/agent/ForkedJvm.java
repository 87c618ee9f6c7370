/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A JVM of its own that runs a program which knows nothing of us. Ends with the test. */
final class ForkedJvm implements AutoCloseable {
    private static final String JAR = System.getProperty("jar.under.test");
    private static final String OWN_JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final int TIME_LIMIT_SECONDS = 50;
    private static final int LOWEST_PORT = 20_000;
    private static final int HIGHEST_PORT = 32_000;
    private static final int PORT_ATTEMPTS = 100;

    private final Process process;
    private final Path errors;
    private final BufferedReader output;

    private ForkedJvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts this JVM's java, with the tests' programs on its class path, and without logging. */
    static ForkedJvm start(String... arguments) throws IOException {
        return startBy(List.of(), arguments);
    }

    /** The same, by a command that becomes java. */
    static ForkedJvm startBy(List<String> prefix, String... arguments) throws IOException {
        return fork(prefix, OWN_JAVA, quietly(arguments));
    }

    /** The same, by another java. */
    static ForkedJvm startOn(String java, String... arguments) throws IOException {
        return fork(List.of(), java, quietly(arguments));
    }

    private static List<String> quietly(String... arguments) {
        List<String> options = new ArrayList<>();
        options.add("-Djava.util.logging.config.file=" + Path.of(JAR).resolveSibling("test-classes/quiet.properties"));
        options.add("-Djdk.system.logger.level=OFF"); // where java.logging is not there
        options.addAll(Arrays.asList(arguments));
        return options;
    }

    /** Runs a program to its end as most users do, who say nothing of logging. */
    static Result runWithLogging(String... arguments) throws Exception {
        try (ForkedJvm jvm = fork(List.of(), OWN_JAVA, Arrays.asList(arguments))) {
            return jvm.result();
        }
    }

    private static ForkedJvm fork(List<String> prefix, String java, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(java);
        command.add("-cp");
        command.add(programs().toString());
        command.addAll(arguments);
        Path errors = Files.createTempFile("forked", ".err");
        errors.toFile().deleteOnExit(); // not every test closes a program that has ended
        return new ForkedJvm(new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
    }

    /**
     * A port of the loopback address that was free a moment ago. It is below those that Linux chooses by itself, so
     * that nobody else who listens meanwhile gets it, but for another call of this method.
     */
    static String freePort() throws IOException {
        for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT + 1);
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return String.valueOf(port);
            } catch (BindException e) {
                continue; // somebody has it
            }
        }
        throw new BindException("no port was free in " + PORT_ATTEMPTS + " attempts");
    }

    /** The directory that holds the programs' classes. */
    static Path programs() {
        return Path.of(JAR).resolveSibling("test-classes");
    }

    /** The option that loads the agent. */
    static String agent(String arguments) {
        return "-javaagent:" + JAR + (arguments.isEmpty() ? "" : "=" + arguments);
    }

    /** The option that loads the agent, and leaves the JVM its archived module graph. */
    static String library(String arguments) {
        return "-agentlib:instrument=" + JAR + (arguments.isEmpty() ? "" : "=" + arguments);
    }

    /** An option that brings back the logging that users have who configure none. */
    static String defaultLogging() {
        return "-Djava.util.logging.config.file=" + Path.of(System.getProperty("java.home"), "conf/logging.properties");
    }

    /** Runs a program to its end. */
    static Result run(String... arguments) throws Exception {
        try (ForkedJvm jvm = start(arguments)) {
            return jvm.result();
        }
    }

    long pid() {
        return process.pid();
    }

    /** Waits for one line of output. */
    String line() throws IOException {
        return output.readLine();
    }

    /** Sends a byte to the program's standard input, and waits for one line of output. */
    String ask() throws IOException {
        order();
        return line();
    }

    /** Sends an empty line to the program's standard input. */
    void order() throws IOException {
        order('\n');
    }

    /** Sends a byte to the program's standard input. */
    void order(char what) throws IOException {
        process.getOutputStream().write(what);
        process.getOutputStream().flush();
    }

    /** Lets the program know that it may go on: ends its standard input. */
    void goOn() throws IOException {
        process.getOutputStream().close();
    }

    /** Ends it at once, so that nothing of it can clean up. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits until the program's standard error has some text. */
    void awaitError(String text) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIME_LIMIT_SECONDS);
        while (!Files.readString(errors).contains(text)) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new AssertionError("no '" + text + "' in: " + Files.readString(errors));
            }
            TimeUnit.MILLISECONDS.sleep(20); // nothing tells that a file has grown
        }
    }

    /** Waits for the end. */
    Result result() throws Exception {
        StringBuilder rest = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            rest.append(line).append('\n');
        }
        if (!process.waitFor(TIME_LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the program does not end; it printed: " + rest + Files.readString(errors));
        }
        return new Result(process.exitValue(), rest.toString(), Files.readString(errors));
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Files.delete(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * How a program ended.
     *
     * @param exit its exit code
     * @param out what it printed on standard output and was not read before
     * @param err what it printed on standard error
     */
    record Result(int exit, String out, String err) {
        private static final Pattern SERVED =
                Pattern.compile("^(rsockets4j: connections [^;\\n]*); rsockets4j .*$", Pattern.MULTILINE);

        /** {@return what it printed on standard error, but not what served it: that differs from build to build} */
        String counts() {
            return SERVED.matcher(err).replaceAll("$1");
        }
    }
}
