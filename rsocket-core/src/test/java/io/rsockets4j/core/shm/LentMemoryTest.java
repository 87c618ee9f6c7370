/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.SharedMemory;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.Borrowed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that one process lends and another maps. */
class LentMemoryTest {
    private static final int BYTES = 10_000;
    private static final int MAX_MAPPED = 64;

    @TempDir
    private Path parent;
    private Rendezvous rendezvous;
    private BellsFile bells;
    private MemoryBudget budget;
    private LentMemory lent;
    private BorrowedMemory borrowed;

    @BeforeEach
    void open() throws IOException {
        rendezvous = Rendezvous.open(parent.toString(), false);
        bells = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
        budget = new MemoryBudget(null, 0, 0);
        lent = new LentMemory(rendezvous, bells.name(), budget, 1);
        borrowed = new BorrowedMemory(rendezvous, bells.name());
    }

    @AfterEach
    void close() {
        lent.exit();
        bells.remove();
    }

    private Path path(SharedMemory memory) {
        return rendezvous.memoryPath(bells.name(), memory.number());
    }

    @Test
    void shouldShowThePeerWhatIsWritten() throws IOException {
        SharedMemory first = lent.make(BYTES);
        SharedMemory second = lent.make(1);
        first.buffer(BYTES).put(BYTES - 1, (byte) 1);
        second.buffer(1).put(0, (byte) 2);
        assertThat(borrowed.apply(first.number()).memory().get(BYTES - 1)).isEqualTo((byte) 1);
        assertThat(borrowed.apply(second.number()).memory().get(0)).isEqualTo((byte) 2);
        assertThat(borrowed.apply(second.number() + 1)).isNull();
    }

    @Test
    void shouldCountAgainstTheBudgetUntilItIsRemoved() throws IOException {
        SharedMemory memory = lent.make(BYTES);
        assertThat(budget.used()).isEqualTo(BYTES);
        assertThat(lent.has(memory)).isTrue();
        memory.remove();
        memory.remove();
        assertThat(budget.used()).isZero();
        assertThat(lent.has(memory)).isFalse();
        assertThat(path(memory)).doesNotExist();
    }

    @Test
    void shouldLeaveNothingWhereMemoryIsShort() throws IOException {
        LentMemory small = new LentMemory(rendezvous, bells.name(), new MemoryBudget(parent, BYTES - 1), 1);
        assertThatThrownBy(() -> small.make(BYTES)).isInstanceOf(PathException.class);
        assertThat(small.make(BYTES - 1).number()).isEqualTo(2);
        small.exit();
        assertThat(rendezvous.directory()).isDirectoryNotContaining("glob:**.memory");
    }

    @Test
    void shouldForgetWhatThePeerHasRemoved() throws IOException {
        SharedMemory gone = lent.make(BYTES);
        Borrowed mapped = borrowed.apply(gone.number());
        gone.remove();
        assertThat(borrowed.apply(gone.number())).as("as long as nothing else is mapped").isSameAs(mapped);
        borrowed.apply(lent.make(BYTES).number());
        assertThat(borrowed.apply(gone.number())).isNull();
    }

    @Test
    void shouldMapOnlySoMuchAtATime() throws IOException {
        SharedMemory first = lent.make(1);
        Borrowed mapped = borrowed.apply(first.number());
        for (int i = 1; i < MAX_MAPPED; i++) {
            borrowed.apply(lent.make(1).number());
        }
        assertThat(borrowed.apply(first.number())).isSameAs(mapped);
        borrowed.apply(lent.make(1).number());
        assertThat(borrowed.apply(first.number())).as("mapped anew").isNotNull().isNotSameAs(mapped);
    }

    @Test
    void shouldMapNothingButTheUsersOwnFiles() throws IOException {
        Path other = Files.write(parent.resolve("other"), new byte[BYTES]);
        Files.createSymbolicLink(rendezvous.memoryPath(bells.name(), 1), other);
        Files.createDirectory(rendezvous.memoryPath(bells.name(), 2));
        Files.createFile(rendezvous.memoryPath(bells.name(), 3));
        for (int number = 1; number <= 3; number++) {
            assertThat(borrowed.apply(number)).isNull();
        }
        try (RandomAccessFile large = new RandomAccessFile(rendezvous.memoryPath(bells.name(), 4).toFile(), "rw")) {
            large.setLength(Integer.MAX_VALUE + 1L);
        }
        assertThat(borrowed.apply(4)).isNull();
    }

    @Test
    void shouldSweepWhatADeadProcessHasLent() throws IOException {
        SharedMemory memory = lent.make(BYTES);
        rendezvous.sweep("another.bells");
        assertThat(path(memory)).as("its process lives").exists();
        bells.remove();
        rendezvous.sweep("another.bells");
        assertThat(path(memory)).doesNotExist();
    }
}
