/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process of the same user takes back, by truncate, the memory of bells. The owner makes it anew; peers that ring use
 * it no more. Nobody gets the error of the fault, however late the JVM throws it.
 */
@Timeout(60)
class TakenBellsTest {
    private static final int LENT = 200;
    private static final int BELL = 150; // in the third page of the memory
    private static final int LISTENER = 7;
    private static final int COMPILED = 30_000;
    private static final int TIMES = 50;
    private static final long TOO_LONG = Futex.LONGEST_NANOS * 9 / 10;

    @TempDir
    private Path directory;
    private RandomAccessFile file;
    private BellPage page;
    private PeerBells peers;
    private final Bell[] bells = new Bell[LENT + 1];
    private volatile int madeAnew; // written by one thread at a time

    @BeforeEach
    void lend() throws IOException {
        FutexSwitch.on();
        file = new RandomAccessFile(directory.resolve("bells").toFile(), "rw");
        file.setLength(BellPage.BYTES);
        lend(this::makeAnew);
    }

    private void lend(Function<byte[], ByteBuffer> anew) {
        page = new BellPage(map(), anew);
        for (int number = 1; number <= LENT; number++) {
            bells[number] = Bell.take(page);
        }
        peers = new PeerBells(map());
    }

    @AfterEach
    void noErrorIsLeft() throws IOException {
        assertThat(BellPage.takeErrors()).as("an error that the JVM has still to throw").isFalse();
        file.close();
    }

    private ByteBuffer map() {
        try {
            return file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, BellPage.BYTES)
                    .order(ByteOrder.nativeOrder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ByteBuffer makeAnew(byte[] contents) {
        try {
            file.setLength(BellPage.BYTES);
            file.seek(0);
            file.write(contents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer memory = map();
        madeAnew++; // last: whoever sees it may take the memory back
        return memory;
    }

    /** Truncates the file and, perhaps, makes it as long again, of zeros. */
    private void takeBack(long kept, boolean zeros) {
        try {
            file.setLength(kept);
            if (zeros) {
                file.setLength(BellPage.BYTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- the owner

    @ParameterizedTest
    @CsvSource({"0, false", "4096, false", "8192, false", "0, true", "8192, true"})
    void shouldMakeTheMemoryAnewWhereABellIsNotThere(long kept, boolean zeros) {
        takeBack(kept, zeros);
        bells[BELL].prepare(true);
        assertThat(madeAnew).isOne();
        assertThat(new PeerBells(map()).ring(BELL)).isEqualTo(Bell.ELSEWHERE);
        bells[BELL].awake();
        assertThat(new PeerBells(map()).ring(BELL)).isEqualTo(Bell.AWAKE);
        assertThat(madeAnew).isOne();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "65536, false", "67580, false", "65536, true"})
    void shouldMakeTheMemoryAnewWhereTheListenersAreNotThere(long kept, boolean zeros) {
        takeBack(kept, zeros);
        page.setListenerBell(LISTENER, BELL);
        assertThat(madeAnew).isOne();
        assertThat(new PeerBells(map()).listenerBell(LISTENER)).isEqualTo(BELL);
    }

    @Test
    void shouldMakeTheMemoryAnewWhereABellIsLent() {
        takeBack(0, false);
        Bell lent = Bell.take(page);
        lent.prepare(true);
        assertThat(madeAnew).isOne();
        assertThat(new PeerBells(map()).ring(lent.number())).isEqualTo(Bell.ELSEWHERE);
    }

    @Test
    void shouldMakeTheMemoryAnewWhereAWakeUpEnds() {
        bells[BELL].prepare(true);
        takeBack(0, false);
        bells[BELL].awake();
        assertThat(madeAnew).isOne();
    }

    @Test
    void shouldSayAnewWhatAllBellsAndListenersSay() {
        bells[1].prepare(false);
        bells[BELL].prepare(true);
        page.setListenerBell(LISTENER, BELL);
        takeBack(0, false);
        bells[2].awake();
        PeerBells others = new PeerBells(map());
        assertThat(others.ring(1)).isEqualTo(Bell.ASLEEP);
        assertThat(others.ring(2)).isEqualTo(Bell.AWAKE);
        assertThat(others.ring(BELL)).isEqualTo(Bell.ELSEWHERE);
        assertThat(others.ring(LENT)).isEqualTo(Bell.AWAKE);
        assertThat(others.listenerBell(LISTENER)).isEqualTo(BELL);
    }

    private CompletableFuture<Long> startSleeper(Bell bell) throws Exception {
        CompletableFuture<Long> took = new CompletableFuture<>();
        bell.prepare(false);
        Thread sleeper = new Thread(() -> {
            long started = System.nanoTime();
            bell.sleep(Futex.get(), Long.MAX_VALUE);
            took.complete(System.nanoTime() - started);
        }, "sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        Eventually.asleepIn(sleeper, "sleep");
        return took;
    }

    @Test
    void shouldWakeWhoSleptBeforeFromWithin() throws Exception {
        CompletableFuture<Long> took = startSleeper(bells[BELL]);
        takeBack(0, false);
        assertThat(bells[BELL].ring()).isEqualTo(Bell.ASLEEP);
        assertThat(took.get(15, TimeUnit.SECONDS)).isLessThan(TOO_LONG);
    }

    @Test
    void shouldHaveAPeerWakeWhoSleptBefore() throws Exception {
        CompletableFuture<Long> took = startSleeper(bells[BELL]);
        takeBack(0, false);
        bells[1].prepare(false); // any other
        assertThat(new PeerBells(map()).ring(BELL)).isEqualTo(Bell.ASLEEP);
        assertThat(took.get(15, TimeUnit.SECONDS)).isLessThan(TOO_LONG);
    }

    @Test
    void shouldGoOnInMemoryOfItsOwnWhereThereIsNoRoom() throws Exception {
        lend(contents -> ByteBuffer.allocateDirect(BellPage.BYTES).order(ByteOrder.nativeOrder()).put(0, contents));
        takeBack(0, false);
        CompletableFuture<Long> took = startSleeper(bells[BELL]);
        assertThat(bells[BELL].ring()).isEqualTo(Bell.ASLEEP);
        assertThat(took.get(15, TimeUnit.SECONDS)).isLessThan(TOO_LONG);
        assertThat(peers.ring(BELL)).as("for peers it is gone").isEqualTo(Bell.ELSEWHERE);
    }

    /** Compiled code goes on after a fault, with whatever it has for the word. */
    @Test
    void shouldMakeTheMemoryAnewWhereItsCodeIsCompiled() {
        for (int round = 0; round < COMPILED; round++) {
            sleepAndRing();
        }
        for (int time = 1; time <= TIMES; time++) {
            takeBack(0, false);
            sleepAndRing();
            assertThat(BellPage.takeErrors()).as("an error that is left, time %d", time).isFalse();
            assertThat(madeAnew).isEqualTo(time);
        }
    }

    /** A fault takes long: meanwhile another thread makes the page anew, and the mark is there again. */
    @Test
    void shouldTakeTheErrorWhereAnotherThreadMakesThePageAnew() throws Exception {
        List<CompletableFuture<Void>> owners = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        for (int owner = 1; owner <= 4; owner++) {
            Bell bell = bells[owner];
            owners.add(CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    bell.prepare(true);
                    bell.awake();
                    assertThat(BellPage.takeErrors()).as("an error that is left").isFalse();
                }
            }, task -> new Thread(task, "owner").start()));
        }
        for (int time = 0; time < 20 * TIMES; time++) {
            int before = madeAnew;
            takeBack(0, false);
            Eventually.soon("the page is made anew", () -> madeAnew > before);
        }
        over.set(true);
        for (CompletableFuture<Void> owner : owners) {
            owner.get(15, TimeUnit.SECONDS);
        }
    }

    private void sleepAndRing() {
        bells[BELL].prepare(true);
        bells[BELL].ring();
        bells[BELL].awake();
    }

    // ---- peers

    @ParameterizedTest
    @CsvSource({"0, false", "8192, false", "0, true"})
    void shouldLeaveAPeerWhoseBellsAreGoneToItsServiceThread(long kept, boolean zeros) {
        bells[BELL].prepare(false);
        takeBack(kept, zeros);
        assertThat(peers.ring(BELL)).isEqualTo(Bell.ELSEWHERE);
        assertThat(peers.ring(1)).as("also of what is there").isEqualTo(Bell.ELSEWHERE);
        assertThat(peers.listenerBell(LISTENER)).isZero();
        bells[BELL].awake();
        assertThat(madeAnew).isOne();
        assertThat(peers.ring(BELL)).as("for good").isEqualTo(Bell.ELSEWHERE);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "65536, false", "67580, false", "65536, true"})
    void shouldNameNoBellWhereAPeersListenersAreGone(long kept, boolean zeros) {
        page.setListenerBell(LISTENER, BELL);
        takeBack(kept, zeros);
        assertThat(peers.listenerBell(LISTENER)).isZero();
        assertThat(peers.ring(BELL)).isEqualTo(Bell.ELSEWHERE);
    }

    @Test
    void shouldLeaveItToTheServiceThreadWhereCodeIsCompiled() {
        page.setListenerBell(LISTENER, BELL);
        for (int round = 0; round < COMPILED; round++) {
            assertThat(peers.ring(peers.listenerBell(LISTENER))).isEqualTo(Bell.AWAKE);
        }
        for (int time = 1; time <= TIMES; time++) {
            peers = new PeerBells(map());
            int named = time % 2 == 0 ? peers.listenerBell(LISTENER) : BELL;
            takeBack(0, false);
            assertThat(peers.ring(named)).isEqualTo(Bell.ELSEWHERE);
            assertThat(peers.listenerBell(LISTENER)).isZero();
            assertThat(BellPage.takeErrors()).as("an error that is left, time %d", time).isFalse();
            bells[1].awake();
        }
    }
}
