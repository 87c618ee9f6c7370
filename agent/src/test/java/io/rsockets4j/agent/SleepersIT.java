/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rsockets4j.agent.programs.SleepingClients;
import io.rsockets4j.agent.programs.SleepingServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two JVMs whose threads sleep between messages wake each other, also where they sleep in different ways: the system
 * property {@code other.java} names a java of another version.
 */
@Timeout(120)
class SleepersIT {
    private static final String PROGRAMS = "io.rsockets4j.agent.programs.";
    private static final String PATIENT = "paths=shm,handshake.millis=20000";
    private static final int CONNECTIONS = 8;
    private static final int TRIPS = 400;
    private static final String OWN_JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String OTHER_JAVA = System.getProperty("other.java", OWN_JAVA);
    private static final int LONGER_THAN_A_PAUSE_MILLIS = 20; // of those programs
    private static final long SHORTER_THAN_A_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(4); // which lasts five

    /** Counts as skipped where the other cases have two of the same. */
    @Test
    void shouldHaveJvmsOfTwoVersions() throws Exception {
        assumeTrue(!OTHER_JAVA.equals(OWN_JAVA), "no other.java is named: both sides run on this Java");
        try (ForkedJvm jvm = ForkedJvm.startOn(OTHER_JAVA, "--version")) {
            assertThat(jvm.line()).matches("\\S+ \\d+.*").doesNotStartWith("openjdk " + Runtime.version().feature());
        }
    }

    @ParameterizedTest
    @CsvSource({"false, true, shm", "true, false, shm", "false, false, tcp"})
    void shouldMissNoWakeUp(boolean otherServer, boolean otherClient, String path) throws Exception {
        String arguments = PATIENT.replace("shm", path);
        try (ForkedJvm server = server(otherServer, arguments);
                ForkedJvm clients = clients(otherClient, arguments, server.line())) {
            assertThat(clients.line()).isEqualTo("connected");
            assertThat(clients.ask()).isEqualTo(Integer.toString(CONNECTIONS * TRIPS));
        }
    }

    /** A stopped server sleeps on words that change meanwhile, and clients are stopped on their way to sleep. */
    @Test
    void shouldGoOnAfterOneOfThemWasStopped() throws Exception {
        try (ForkedJvm server = server(false, PATIENT);
                ForkedJvm clients = clients(true, PATIENT, server.line())) {
            assertThat(clients.line()).isEqualTo("connected");
            for (int round = 0; round < 5; round++) {
                boolean beforehand = round % 2 == 0;
                ForkedJvm stopped = beforehand ? server : clients;
                Set<String> idle = beforehand ? asleep(clients) : Set.of(); // the server's sleep in reads already
                if (beforehand) {
                    signal("STOP", stopped);
                }
                clients.order();
                if (!beforehand) {
                    signal("STOP", stopped);
                }
                awaitAsleep(beforehand ? clients : server, idle);
                signal("CONT", stopped);
                assertThat(clients.line()).as("round %d", round).isEqualTo(Integer.toString(CONNECTIONS * TRIPS));
            }
        }
    }

    @Test
    void shouldWakeAllWhoSleepWhereThePeerIsKilled() throws Exception {
        try (ForkedJvm server = server(false, PATIENT);
                ForkedJvm clients = clients(true, PATIENT, server.line())) {
            assertThat(clients.line()).isEqualTo("connected");
            assertThat(clients.ask()).isEqualTo(Integer.toString(CONNECTIONS * TRIPS));
            sleep(clients);
            server.kill();
            assertThat(clients.line()).isEqualTo(Integer.toString(CONNECTIONS));
        }
    }

    @Test
    void shouldEndWhileThreadsSleep() throws Exception {
        try (ForkedJvm server = server(false, PATIENT);
                ForkedJvm clients = clients(true, PATIENT, server.line())) {
            assertThat(clients.line()).isEqualTo("connected");
            assertThat(clients.ask()).isEqualTo(Integer.toString(CONNECTIONS * TRIPS));
            sleep(clients);
            long started = System.nanoTime();
            clients.goOn();
            assertThat(clients.result().exit()).isZero();
            assertThat(System.nanoTime() - started).isLessThan(SHORTER_THAN_A_SLEEP_NANOS);
            awaitNoConnection(server);
        }
    }

    /** Has the clients' threads wait for bytes that do not come, and waits until all sleep. */
    private static void sleep(ForkedJvm clients) throws Exception {
        Set<String> idle = asleep(clients);
        clients.order(SleepingClients.WAIT);
        awaitAsleep(clients, idle);
    }

    private static void awaitNoConnection(ForkedJvm server) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        String open = server.ask();
        while (!open.equals("0") && System.nanoTime() < deadline) {
            open = server.ask();
        }
        assertThat(open).as("connections open at the server").isEqualTo("0");
    }

    private static ForkedJvm server(boolean other, String agent) throws IOException {
        return ForkedJvm.startOn(other ? OTHER_JAVA : OWN_JAVA, ForkedJvm.agent(agent), PROGRAMS + "SleepingServer");
    }

    private static ForkedJvm clients(boolean other, String agent, String port) throws IOException {
        return ForkedJvm.startOn(other ? OTHER_JAVA : OWN_JAVA, ForkedJvm.agent(agent), PROGRAMS + "SleepingClients",
                port, Integer.toString(CONNECTIONS), Integer.toString(TRIPS));
    }

    /** Waits until all that talk sleep in the kernel, and for longer than they pause; not in the sleeps before. */
    private static void awaitAsleep(ForkedJvm jvm, Set<String> before) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Set<String> last = Set.of();
        Set<String> now = asleep(jvm);
        while (now.size() < CONNECTIONS || !now.equals(last) || !Collections.disjoint(now, before)) {
            assertThat(System.nanoTime()).as("asleep are %s", now).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(LONGER_THAN_A_PAUSE_MILLIS); // nothing tells that another program sleeps on
            last = now;
            now = asleep(jvm);
        }
    }

    /** The threads that talk and are in a futex wait, each with how often it has slept. */
    private static Set<String> asleep(ForkedJvm jvm) {
        Set<String> found = new TreeSet<>();
        for (File task : new File("/proc/" + jvm.pid() + "/task").listFiles()) {
            String status = read(task, "status");
            String where = read(task, "wchan"); // some kernels hide it, and say 0
            if (status.startsWith("Name:\t" + SleepingServer.THREAD + '\n') && status.contains("State:\tS")
                    && (where.startsWith("futex") || where.equals("0"))) {
                found.add(task.getName() + status.substring(status.indexOf("\nvoluntary_ctxt_switches")).strip());
            }
        }
        return found;
    }

    private static String read(File task, String file) {
        try {
            return Files.readString(task.toPath().resolve(file));
        } catch (IOException e) {
            return ""; // it has ended
        }
    }

    private static void signal(String name, ForkedJvm jvm) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(jvm.pid())).inheritIO().start();
        assertThat(kill.waitFor()).isZero();
    }
}
