/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunnableThreadsTest {
    private static final int BUSY = 12;

    @ParameterizedTest
    @CsvSource({"0.20 0.18 0.12 1/80 11206, 1", "12.00 1.18 100.12 37/1234 4194304, 37", "0.0 0.0 0.0 0/1 1, 1",
        "7/8, 7", "'', 1", "0.20 0.18 0.12, 1", "x/1, 1", "3x/1, 1", "/1, 1"})
    void shouldReadTheNumberBeforeTheSlash(String line, int count) {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        assertThat(RunnableThreads.parse(bytes, bytes.length)).isEqualTo(count);
    }

    @Test
    void shouldNotReadBeyondTheEndOfTheLine() {
        byte[] bytes = "0.20 0.18 0.12 5/80 11206".getBytes(StandardCharsets.US_ASCII);
        assertThat(RunnableThreads.parse(bytes, 16)).isEqualTo(1);
        assertThat(RunnableThreads.parse(bytes, -1)).as("at the end of the file").isEqualTo(1);
    }

    @Test
    void shouldCountThreadsThatRunAndReadAnewAfterAMillisecond() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/loadavg")), "the kernel tells");
        RunnableThreads runnable = new RunnableThreads();
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch running = new CountDownLatch(BUSY);
        AtomicLong now = new AtomicLong(System.nanoTime());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < BUSY; i++) {
            threads.add(new Thread(() -> {
                running.countDown();
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            }));
        }
        assertThat(runnable.applyAsInt(now.addAndGet(1_000_000))).isPositive();
        try {
            threads.forEach(Thread::start);
            running.await();
            int before = runnable.applyAsInt(now.get());
            assertThat(runnable.applyAsInt(now.addAndGet(999_999))).as("older than a millisecond").isEqualTo(before);
            Eventually.until("all are counted", () -> runnable.applyAsInt(now.addAndGet(1_000_000)) >= BUSY);
        } finally {
            over.set(true);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
