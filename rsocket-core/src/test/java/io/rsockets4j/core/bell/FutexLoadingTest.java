/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a process begins to load the futex, which it does once: each in a JVM of its own. */
@Timeout(60)
class FutexLoadingTest {
    private static final int BUSY_LOOKS = 3;

    /** The program. */
    static final class Loading {
        private static final AtomicInteger LOOKS = new AtomicInteger();

        private Loading() { }

        public static void main(String[] args) throws Exception {
            switch (args[0]) {
                case "connects" -> {
                    Futex.beginToLoadOnceIdle(() -> LOOKS.incrementAndGet() > BUSY_LOOKS);
                    Futex.beginToLoadOnceIdle(() -> true); // a second connect
                    until(() -> Futex.loaded != null);
                    System.out.println("loaded at look " + LOOKS.get());
                }
                case "is busy" -> {
                    Futex.beginToLoadOnceIdle(() -> LOOKS.incrementAndGet() < 0);
                    until(() -> LOOKS.get() > BUSY_LOOKS);
                    System.out.println(Futex.loaded == null ? "not loaded" : "loaded");
                }
                case "listens" -> {
                    Futex.beginToLoadOnceIdle(() -> false);
                    Futex.beginToLoad();
                    until(() -> Futex.loaded != null);
                    System.out.println("loaded");
                }
                case "sleeps" -> {
                    for (int i = 1; i < Futex.SLEEPS_BEFORE_LOAD; i++) {
                        if (Futex.get() != null) {
                            throw new AssertionError("loaded after " + i);
                        }
                    }
                    Futex.get();
                    until(() -> Futex.loaded != null);
                    System.out.println("loaded");
                }
                default -> throw new IllegalArgumentException(args[0]);
            }
        }

        private static void until(Callable<Boolean> condition) throws Exception {
            Eventually.until("the futex's thread has come so far", condition);
        }
    }

    @ParameterizedTest
    @CsvSource({"connects, loaded at look 4", "is busy, not loaded", "listens, loaded", "sleeps, loaded"})
    void shouldLoadOnceItIsOfUse(String program, String output) throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
                "-Xlog:disable", "-cp", System.getProperty("java.class.path"), Loading.class.getName(), program)
                .redirectErrorStream(true).start();
        try {
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).isEqualTo(output + "\n");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }
}
