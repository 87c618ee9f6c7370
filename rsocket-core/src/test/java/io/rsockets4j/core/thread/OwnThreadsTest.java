/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.log.LogCapture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose a thread is, and what it outlives. */
@Timeout(20)
class OwnThreadsTest {
    @Test
    void shouldBelongToNoGroupOfTheProgram() throws Exception {
        ThreadGroup group = new ThreadGroup("a program's");
        CompletableFuture<Thread> made = new CompletableFuture<>();
        Thread maker = new Thread(group, () -> made.complete(OwnThreads.daemon("rsockets4j-test", () -> { })));
        maker.setContextClassLoader(new ClassLoader() { });
        maker.start();
        Thread thread = made.get(10, TimeUnit.SECONDS);
        assertThat(thread.getThreadGroup().getParent()).isNull();
        assertThat(thread.getContextClassLoader()).isNull();
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void shouldEndByNoError() throws Exception {
        LogCapture log = LogCapture.of(OwnThreads.class);
        try {
            CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
            Thread thread = OwnThreads.daemon("rsockets4j-test", () -> {
                throw new StackOverflowError("a test's");
            });
            thread.setUncaughtExceptionHandler((ended, cause) -> uncaught.complete(cause));
            thread.start();
            thread.join();
            assertThat(uncaught).isNotDone();
            assertThat(log.lines()).containsExactly(
                    "SEVERE rsockets4j: the thread rsockets4j-test has ended by an error");
        } finally {
            log.close();
        }
    }

    @Test
    void shouldGoOnWhereEvenLoggingFails() {
        Logger logger = Logger.getLogger(OwnThreadsTest.class.getName());
        Handler full = new FullHandler();
        logger.addHandler(full);
        try {
            Thread.currentThread().interrupt();
            OwnThreads.goOnAfter(Log.of(OwnThreadsTest.class), "an error", new OutOfMemoryError("a test's"));
            assertThat(Thread.interrupted()).isFalse();
            assertThat(OwnThreads.report(Log.of(OwnThreadsTest.class), "an error", null)).isFalse();
        } finally {
            logger.removeHandler(full);
        }
    }

    /** Has no memory for a message. */
    private static final class FullHandler extends Handler {
        @Override
        public void publish(LogRecord message) {
            throw new StackOverflowError("a test's"); // JUnit ends the JVM after an OutOfMemoryError
        }

        @Override
        public void flush() {
            // nothing is buffered
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
