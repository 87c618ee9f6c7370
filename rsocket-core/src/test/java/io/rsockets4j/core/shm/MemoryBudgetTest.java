/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much shared memory a process makes, and what becomes of memory that nobody uses. */
class MemoryBudgetTest {
    private static final int RING = 256 * 1024;
    private static final int WORDS = SessionDescriptor.FILE_BYTES + SlotDescriptor.controlBytes(64);
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    /** A file system that others fill too. */
    private static final class Host extends File {
        private static final long serialVersionUID = 1L;
        private final long total;
        private final long free;
        private int looks;

        Host(long total, long free) {
            super("/nowhere");
            this.total = total;
            this.free = free;
        }

        @Override
        public long getTotalSpace() {
            return total;
        }

        @Override
        public long getUsableSpace() {
            looks++;
            return free;
        }
    }

    private static Reason lack(MemoryBudget budget, long bytes) {
        try {
            budget.take(bytes);
            return null;
        } catch (PathException e) {
            return e.reason();
        }
    }

    @Test
    void shouldLeaveSomethingToOthers() {
        MemoryBudget small = new MemoryBudget(new Host(64L * MIB, 10L * MIB), 0, 0);
        assertThat(lack(small, 6L * MIB)).isNull();
        assertThat(lack(small, 6L * MIB + 1)).isEqualTo(Reason.NO_MEMORY);
        assertThat(small.used()).as("what was not granted does not count").isEqualTo(6L * MIB);
        MemoryBudget large = new MemoryBudget(new Host(64L << 30, 65L * MIB), 0, 0);
        assertThat(lack(large, MIB)).isNull();
        assertThat(lack(large, MIB + 1)).isEqualTo(Reason.NO_MEMORY);
        assertThat(lack(new MemoryBudget(new Host(0, 0), 0, 0), 1 << 30)).as("no limit is known").isNull();
    }

    /** To look is a system call, and each first connection in a slot takes two pages. */
    @Test
    void shouldLookAtTheHostOnlyNowAndThen() {
        Host host = new Host(64L << 30, 4L << 30);
        MemoryBudget budget = new MemoryBudget(host, 0, 0);
        for (int i = 0; i < 900; i++) { // 3.5 MiB
            assertThat(lack(budget, SlotDescriptor.PAGE_BYTES)).isNull();
        }
        assertThat(host.looks).isBetween(1, 2);
        assertThat(lack(budget, 4L << 30)).as("what is not there").isEqualTo(Reason.NO_MEMORY);
    }

    @Test
    void shouldUseNoMoreThanTheSettingAllows() {
        MemoryBudget budget = new MemoryBudget(new Host(0, 0), 100, 0);
        assertThat(lack(budget, 60)).isNull();
        assertThat(lack(budget, 41)).isEqualTo(Reason.NO_MEMORY);
        assertThat(lack(budget, 40)).isNull();
        budget.giveBack(50);
        assertThat(lack(budget, 50)).isNull();
    }

    @Test
    void shouldNotCountWhatCouldNotBeMade() throws IOException {
        MemoryBudget budget = new MemoryBudget(directory.toFile(), MIB, 0);
        MappedFile file = MappedFile.create(directory.resolve("file"), MIB, budget);
        file.retire(); // from now on writes fail
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> file.commit(0, MIB)).isInstanceOf(IOException.class);
            assertThat(budget.used()).isZero();
        }
    }

    @Test
    void shouldGoByAnotherPathWhereNotEvenASessionIsAllowed() throws Exception {
        Fabrics.Listening listening = Fabrics.listen(Fabrics.open(directory));
        ShmFabric poor = Fabrics.open(directory, "shm.max.bytes=4096");
        assertThatThrownBy(() -> Fabrics.connect(poor, listening.address())).isInstanceOf(IOException.class)
                .hasMessageContaining("rsockets4j.shm.max.bytes=4096 is used up")
                .extracting(failure -> PathException.reasonOf((IOException) failure)).isEqualTo(Reason.NO_MEMORY);
        listening.queue().close();
    }

    @Test
    void shouldGoOnWithSmallRingsWhereLargeOnesAreNotAllowed() throws Exception {
        MemoryBudget budget = new MemoryBudget(directory.toFile(), WORDS + RING, 0);
        Fabrics.Listening listening = Fabrics.listen(Fabrics.open(directory));
        ShmFabric fabric = Fabrics.open(directory, budget, new HeldPorts());
        ShmLink client = Fabrics.connect(fabric, listening.address());
        ShmLink server = listening.accept();
        assertThat(client.send(ByteBuffer.allocate(RING))).isEqualTo(SlotDescriptor.FIRST_BYTES);
        Streams.read(server, ByteBuffer.allocate(SlotDescriptor.FIRST_BYTES));
        exchange(client, server);
        assertThat(budget.used()).isEqualTo(WORDS + 2 * SlotDescriptor.FIRST_BYTES);
        client.close(false);
        server.close(false);
        listening.queue().close();
    }

    @Test
    void shouldGiveIdleMemoryBackAndMakeItAgain() throws Exception {
        long idle = TimeUnit.MILLISECONDS.toNanos(1);
        MemoryBudget clients = new MemoryBudget((File) null, 0, idle);
        MemoryBudget servers = new MemoryBudget(directory.toFile(), RING, idle);
        Fabrics.Listening listening = Fabrics.listen(Fabrics.open(directory, servers, new HeldPorts()));
        ShmFabric fabric = Fabrics.open(directory, clients, new HeldPorts());
        for (int round = 0; round < 3; round++) {
            ShmLink client = Fabrics.connect(fabric, listening.address());
            ShmLink server = listening.accept();
            exchange(client, server);
            exchange(server, client);
            assertThat(client.slot()).as("round %d", round).isZero();
            assertThat(clients.used()).isEqualTo(WORDS + RING + SlotDescriptor.FIRST_BYTES);
            assertThat(servers.used()).isEqualTo(RING - SlotDescriptor.FIRST_BYTES);
            assertThat(kibibytes()).isGreaterThan(2 * RING / 1024);
            server.close(false);
            client.close(false);
            Eventually.until("the rings are given back", () -> clients.used() == WORDS);
            assertThat(kibibytes()).isLessThan(2 * WORDS / 1024);
        }
        listening.queue().close();
    }

    /** Sends more than fits without growing, in pieces of all sizes, and reads it. */
    private static void exchange(ShmLink from, ShmLink to) throws IOException {
        byte[] bytes = new byte[3 * RING];
        new Random(1).nextBytes(bytes);
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                Streams.write(from, ByteBuffer.wrap(bytes));
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        assertThat(Streams.read(to, ByteBuffer.allocate(bytes.length)).array()).isEqualTo(bytes);
        sending.join();
    }

    /** What the files of this test's sessions take, as the kernel says. */
    private long kibibytes() throws Exception {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            Path slots = descriptors.filter(this::isOfThisTest).findFirst().orElseThrow();
            Process stat = new ProcessBuilder("stat", "-L", "-c", "%b",
                    "/proc/" + ProcessHandle.current().pid() + "/fd/" + slots.getFileName()).start();
            return Long.parseLong(new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip())
                    / 2;
        }
    }

    private boolean isOfThisTest(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(directory.toString()) && target.endsWith(".shared (deleted)")
                    && Files.size(descriptor) > SessionDescriptor.FILE_BYTES;
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }
}
