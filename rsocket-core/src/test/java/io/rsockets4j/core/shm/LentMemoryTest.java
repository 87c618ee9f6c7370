/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.SharedMemory;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.Borrowed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory that one process lends and another maps. */
@Timeout(60)
class LentMemoryTest {
    private static final int BYTES = 10_000;
    private static final int MAX_BYTES = 10 * BYTES;
    private static final int MAX_MAPPED = 256;

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
        lent = new LentMemory(rendezvous, bells.name(), budget, 1, MAX_BYTES);
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
        SourceMemory first = lent.make(BYTES);
        SourceMemory second = lent.make(1);
        first.whole().put(BYTES - 1, (byte) 1);
        second.whole().put(0, (byte) 2);
        assertThat(borrowed.apply(first.shared().number()).memory().get(BYTES - 1)).isEqualTo((byte) 1);
        assertThat(borrowed.apply(second.shared().number()).memory().get(0)).isEqualTo((byte) 2);
        assertThat(borrowed.apply(second.shared().number() + 1)).isNull();
    }

    @Test
    void shouldLoseItsName() throws IOException {
        SharedMemory memory = lent.make(BYTES).shared();
        assertThat(lent.has(memory)).isTrue();
        memory.remove();
        memory.remove();
        assertThat(lent.has(memory)).isFalse();
        assertThat(path(memory)).doesNotExist();
    }

    /** As with direct buffers: what nobody can use any more makes room, and nobody has to say so. */
    @Test
    void shouldMakeMoreOnceOthersAreGarbage() throws IOException {
        int most = MAX_BYTES / BYTES;
        for (int i = 0; i < most + most / 2; i++) { // a collection may miss some, and the next comes a second later
            lent.make(BYTES); // nobody removes its name
        }
        assertThat(Fabrics.files(parent, ".memory").size()).isBetween(1, most);
        assertThat(budget.used()).isBetween((long) BYTES, (long) MAX_BYTES);
    }

    @Test
    void shouldMakeNoMoreThanTheHeapMayHave() throws IOException {
        SourceMemory most = lent.make(MAX_BYTES - BYTES);
        assertThatThrownBy(() -> lent.make(BYTES + 1)).isInstanceOf(PathException.class);
        assertThat(lent.make(BYTES).whole().capacity()).isEqualTo(BYTES);
        Reference.reachabilityFence(most);
    }

    @Test
    void shouldMakeNoneAsTheProcessEnds() {
        lent.exit();
        assertThatThrownBy(() -> lent.make(BYTES)).hasMessage("this process ends");
        assertThat(rendezvous.directory()).isDirectoryNotContaining("glob:**.memory");
    }

    @Test
    void shouldLeaveNothingWhereMemoryIsShort() throws IOException {
        LentMemory small = new LentMemory(rendezvous, bells.name(), new MemoryBudget(parent, 2 * BYTES), 1, MAX_BYTES);
        assertThatThrownBy(() -> small.make(BYTES + 1)).as("half is for rings").isInstanceOf(PathException.class);
        assertThat(small.make(BYTES).shared().number()).isEqualTo(1);
        small.exit();
        assertThat(rendezvous.directory()).isDirectoryNotContaining("glob:**.memory");
    }

    @Test
    void shouldForgetWhatThePeerHasRemoved() throws IOException {
        SharedMemory gone = lent.make(BYTES).shared();
        Borrowed mapped = borrowed.apply(gone.number());
        gone.remove();
        assertThat(borrowed.apply(gone.number())).as("as long as nothing else is mapped").isSameAs(mapped);
        borrowed.forgetRemoved();
        assertThat(borrowed.apply(gone.number())).isNull();
    }

    @Test
    void shouldMapOnlySoMuchAtATime() throws IOException {
        SourceMemory first = lent.make(1);
        SourceMemory second = lent.make(1);
        Borrowed mapped = borrowed.apply(first.shared().number());
        Borrowed unused = borrowed.apply(second.shared().number());
        for (int i = 2; i < MAX_MAPPED; i++) {
            borrowed.apply(lent.make(1).shared().number());
        }
        assertThat(borrowed.apply(first.shared().number())).isSameAs(mapped);
        borrowed.apply(lent.make(1).shared().number());
        assertThat(borrowed.apply(first.shared().number())).isSameAs(mapped);
        assertThat(borrowed.apply(second.shared().number())).as("mapped anew").isNotNull().isNotSameAs(unused);
    }

    @Test
    void shouldMapNothingButTheUsersOwnFiles() throws IOException {
        Path other = Files.write(parent.resolve("other"), new byte[BYTES]);
        Files.createSymbolicLink(rendezvous.memoryPath(bells.name(), 1), other);
        Files.createDirectory(rendezvous.memoryPath(bells.name(), 2));
        Files.createFile(rendezvous.memoryPath(bells.name(), 3));
        for (int number = 1; number <= 3; number++) {
            assertThat(borrowed.apply(number)).isSameAs(Borrowed.NONE);
        }
        try (RandomAccessFile large = new RandomAccessFile(rendezvous.memoryPath(bells.name(), 4).toFile(), "rw")) {
            large.setLength(Integer.MAX_VALUE + 1L);
        }
        assertThat(borrowed.apply(4)).isSameAs(Borrowed.NONE);
        assertThat(borrowed.apply(5)).isNull();
    }

    @Test
    void shouldSweepWhatADeadProcessHasLent() throws IOException {
        SharedMemory memory = lent.make(BYTES).shared();
        rendezvous.sweep("another.bells");
        assertThat(path(memory)).as("its process lives").exists();
        Path dead = Files.createFile(rendezvous.newPath(Rendezvous.BELLS)); // nobody has locked it
        try (RandomAccessFile file = new RandomAccessFile(dead.toFile(), "rw")) {
            file.setLength(BellPage.BYTES);
        }
        Path left = Files.createFile(rendezvous.memoryPath(dead.getFileName().toString(), 1));
        rendezvous.sweep("another.bells");
        assertThat(left).doesNotExist();
        assertThat(path(memory)).exists();
    }
}
