/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.Faults;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.MemoryBudget;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words at the end of a file that tells whether the file was truncated. */
@Timeout(60)
class MarkTest {
    private static final int OFFSET = 3 * Mark.BYTES;

    @TempDir
    private Path directory;
    private MappedFile file;
    private Mark mark;
    private ByteBuffer memory;
    private volatile long checks; // of one thread

    @BeforeEach
    void make() throws IOException {
        file = MappedFile.create(directory.resolve("file"), OFFSET + Mark.BYTES, MemoryBudget.unlimited());
        mark = new Mark(file, OFFSET);
        mark.make();
        memory = file.slice(0, OFFSET);
    }

    @AfterEach
    void noErrorIsLeft() {
        assertThat(Faults.take()).isFalse();
        file.leave();
    }

    private void truncate(long kept, boolean zeros) throws IOException {
        try (RandomAccessFile other = new RandomAccessFile(directory.resolve("file").toFile(), "rw")) {
            other.setLength(kept);
            if (zeros) {
                other.setLength(OFFSET + Mark.BYTES);
            }
        }
    }

    @Test
    void shouldSayNothingWhileTheFileIsThere() {
        assertThatCode(mark::check).doesNotThrowAnyException();
        assertThat(mark.isWhole()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "4096, false", "12288, false", "0, true", "8192, true"})
    void shouldTellThatTheFileWasTruncated(long kept, boolean zeros) throws IOException {
        truncate(kept, zeros);
        assertThat(mark.isWhole()).isFalse();
        assertThatThrownBy(mark::check).isInstanceOf(InternalError.class);
    }

    @Test
    void shouldTellOfFaultsAloneOnceItIsOver() throws IOException {
        truncate(0, true);
        mark.end();
        assertThatCode(mark::check).doesNotThrowAnyException();
        assertThatCode(mark::checkLast).doesNotThrowAnyException();
        assertThat(mark.isWhole()).isTrue();
        truncate(0, false);
        assertThatThrownBy(mark::check).isInstanceOf(InternalError.class);
        assertThatThrownBy(mark::checkLast).isInstanceOf(InternalError.class);
        assertThat(mark.isWhole()).isFalse();
    }

    /** After a fault compiled code goes on with what a register had, such as the word of the last check. */
    @ParameterizedTest
    @CsvSource({"0, false", "8192, false", "12288, false", "0, true"})
    void shouldTellWhoChecksInALoop(long kept, boolean zeros) throws Exception {
        for (int time = 0; time < 5; time++) {
            CompletableFuture<Boolean> left = new CompletableFuture<>();
            Thread thread = new Thread(() -> left.complete(checkForEver()), "checks");
            thread.setDaemon(true);
            checks = 0;
            thread.start();
            Eventually.soon("the loop is compiled", () -> checks > 30_000);
            truncate(kept, zeros);
            assertThat(left.get(20, TimeUnit.SECONDS)).as("an error is left").isFalse();
            truncate(OFFSET + Mark.BYTES, false);
            mark.make();
        }
    }

    private boolean checkForEver() {
        try {
            for (;;) {
                long before = checks;
                for (int i = 0; i < 1000; i++) {
                    Words.getAcquire(memory, 0);
                    mark.check(i);
                }
                checks = before + 1000;
            }
        } catch (InternalError e) {
            return Faults.take();
        }
    }
}
