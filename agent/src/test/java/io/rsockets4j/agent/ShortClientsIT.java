/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One long server and many JVMs that live for a moment. {@code -Dtest.jvm.extra=-Dshort.clients=1000} has more of them,
 * and takes five minutes.
 */
class ShortClientsIT {
    private static final String PROGRAMS = "io.rsockets4j.agent.programs.";
    private static final int CLIENTS = Integer.getInteger("short.clients", 200);
    private static final int AT_ONCE = 50;
    private static final int SAMPLE = 20;
    private static final int ENDS = 30;
    private static final long SLACK_MICROS = 20_000;
    private static final long HEAP_BYTES_EACH = 1_000;
    private static final long HEAP_NOISE_BYTES = 300_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40); // a session is kept for 10 s after its end
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @TempDir
    private Path memory;

    private ForkedJvm server;
    private String port;

    @BeforeEach
    void serve() throws IOException {
        server = ForkedJvm.start("-Xmx64m", "-XX:+UseSerialGC", agent(), PROGRAMS + "ByteServer");
        port = server.line();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @Timeout(900)
    void shouldForgetItsClientsAndStayQuick() throws Exception {
        ProcessUse before = ProcessUse.of(server.pid(), memory);
        for (int i = 0; i < SAMPLE; i++) {
            visit();
        }
        awaitRest(before);
        long heapBefore = heapBytes();
        visitAtOnce();
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            micros.add(visit());
        }
        awaitRest(before);
        assertThat(heapBytes() - heapBefore).as("bytes of heap that %s clients left", CLIENTS + AT_ONCE)
                .isLessThan(HEAP_NOISE_BYTES + HEAP_BYTES_EACH * CLIENTS);
        assertThat(median(micros.subList(CLIENTS - SAMPLE, CLIENTS))).as("microseconds of the last clients")
                .isLessThan(2 * median(micros.subList(0, SAMPLE)) + SLACK_MICROS);
        server.goOn();
        assertThat(server.result().counts())
                .isEqualTo("rsockets4j: connections shm=" + (SAMPLE + AT_ONCE + CLIENTS) + " tcp=0\n");
        assertThat(ProcessUse.filesIn(memory)).as("when all have ended").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "halt"})
    @Timeout(180)
    void shouldOutliveClientsThatEndWhileTheyConnect(String how) throws Exception {
        ProcessUse before = ProcessUse.of(server.pid(), memory);
        long longest = Math.max(visit(), visit());
        Random random = new Random(how.hashCode());
        for (int i = 0; i < ENDS; i++) {
            String micros = Long.toString(random.nextLong(longest));
            ForkedJvm.Result end = client("EndWhileConnecting", port, how, micros).result();
            assertThat(end.err()).as("%s after %s us", how, micros).isEmpty();
        }
        visit();
        if (how.equals("halt")) { // nothing of the client can run: what it had not shown to the server others remove
            startAnotherServerAMinuteLater();
        }
        awaitRest(before);
        server.goOn();
        assertThat(server.result().counts()).startsWith("rsockets4j: connections shm=").endsWith(" tcp=0\n");
    }

    private void startAnotherServerAMinuteLater() throws Exception {
        FileTime minuteAgo = FileTime.fromMillis(System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(2));
        Path directory = memory.resolve("rsockets4j-" + Files.getAttribute(memory, "unix:uid"));
        for (String name : ProcessUse.filesIn(memory)) {
            Files.setLastModifiedTime(directory.resolve(name), minuteAgo);
        }
        try (ForkedJvm another = ForkedJvm.start(agent(), PROGRAMS + "ByteServer")) {
            another.line();
            awaitAnswersToStatOf(another.pid());
            another.goOn();
            assertThat(another.result().exit()).isZero();
        }
    }

    /** Waits until a process answers to {@code stat}: it then removes what of others does not any more. */
    private void awaitAnswersToStatOf(long pid) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ProcessUse.filesIn(memory).stream().noneMatch(name -> name.matches(pid + "-.*\\.stat"))) {
            assertThat(System.nanoTime()).as("until %s answers", pid).isLessThan(deadline);
            LockSupport.parkNanos(POLL_NANOS);
        }
        while (ProcessUse.filesIn(memory).stream()
                .anyMatch(name -> name.endsWith(".stat") && !name.matches("(" + pid + "|" + server.pid() + ")-.*"))) {
            assertThat(System.nanoTime()).as("until %s has removed what others left", pid).isLessThan(deadline);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void visitAtOnce() throws Exception {
        List<ForkedJvm> clients = new ArrayList<>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                clients.add(client("ByteClient", port, "stay"));
            }
            for (ForkedJvm client : clients) {
                assertThat(client.line()).matches("\\d+");
            }
            for (ForkedJvm client : clients) {
                client.goOn();
                assertThat(client.result().err()).isEmpty();
            }
        } finally {
            clients.forEach(ForkedJvm::close);
        }
    }

    /** Microseconds from the connect until a byte is back. */
    private long visit() throws Exception {
        try (ForkedJvm client = client("ByteClient", port)) {
            ForkedJvm.Result result = client.result();
            assertThat(result.err()).isEmpty();
            return Long.parseLong(result.out().strip());
        }
    }

    private ForkedJvm client(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                ForkedJvm.agent("paths=shm,handshake.millis=20000,shm.dir=" + memory), PROGRAMS + program));
        command.addAll(List.of(arguments));
        return ForkedJvm.start(command.toArray(String[]::new));
    }

    private String agent() {
        return ForkedJvm.agent("summary=true,handshake.millis=20000,shm.dir=" + memory);
    }

    /** Waits until the server holds no more than before: of files, descriptors, threads and memory of others. */
    private void awaitRest(ProcessUse before) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        ProcessUse now = ProcessUse.of(server.pid(), memory);
        while (!now.isWithin(before) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
            heapBytes(); // mappings go with garbage collection
            now = ProcessUse.of(server.pid(), memory);
        }
        assertThat(now.isWithin(before)).as("%s, before %s", now, before).isTrue();
    }

    private long heapBytes() throws IOException {
        return Long.parseLong(server.ask());
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
