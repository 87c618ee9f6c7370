/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program ends at once: no thread of ours sleeps where the JVM's end would wait for it, which takes 300 ms. */
@Timeout(120)
class ExitIT {
    private static final String PROGRAMS = "io.rsockets4j.agent.programs.";
    private static final int ENDS = 5;
    private static final long LIMIT_MILLIS = 150;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path memory;

    private ForkedJvm server;
    private String port;

    @BeforeEach
    void serve() throws IOException {
        server = ForkedJvm.start(agent(), PROGRAMS + "ByteServer");
        port = server.line();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldEndAtOnceAfterTheLastLine() throws Exception {
        List<Long> millis = new ArrayList<>();
        for (int end = 0; end < ENDS; end++) {
            try (ForkedJvm client = client()) {
                assertThat(client.line()).matches("\\d+");
                millis.add(millisToEnd(client));
            }
        }
        assertMedianIsShort(millis);
    }

    /** It has been seen by then: the threads run that answer to {@code stat} and to management tools. */
    @Test
    void shouldEndAtOnceAfterALongerLife() throws Exception {
        List<Long> millis = new ArrayList<>();
        for (int end = 0; end < ENDS; end++) {
            try (ForkedJvm client = client("stay")) {
                assertThat(client.line()).matches("\\d+");
                while (!answersToStat(client.pid()) || !hasThread(client.pid(), "rsockets4j-mana")) {
                    LockSupport.parkNanos(POLL_NANOS); // the time limit of the class ends it
                }
                client.goOn();
                millis.add(millisToEnd(client));
            }
        }
        assertMedianIsShort(millis);
    }

    private static void assertMedianIsShort(List<Long> millis) {
        Collections.sort(millis);
        assertThat(millis.get(ENDS / 2)).as("the median of %s", millis).isLessThan(LIMIT_MILLIS);
    }

    private static long millisToEnd(ForkedJvm client) throws Exception {
        long start = System.nanoTime();
        ForkedJvm.Result result = client.result();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=1\n");
        assertThat(result.exit()).isZero();
        return millis;
    }

    private boolean answersToStat(long pid) throws IOException {
        return ProcessUse.filesIn(memory).stream().anyMatch(name -> name.matches(pid + "-.*\\.stat"));
    }

    /** Linux knows the first fifteen letters of a thread's name. */
    private static boolean hasThread(long pid, String name) throws IOException {
        return ProcessUse.threads(pid).contains(name);
    }

    private ForkedJvm client(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                ForkedJvm.agent("paths=shm,summary=true,shm.dir=" + memory), PROGRAMS + "ByteClient", port));
        command.addAll(List.of(arguments));
        return ForkedJvm.start(command.toArray(String[]::new));
    }

    private String agent() {
        return ForkedJvm.agent("shm.dir=" + memory);
    }
}
