/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import io.rsockets4j.core.shm.ring.SlotSleeper;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two threads that act at the same instant, again and again: one changes something and looks whether anyone waits for
 * it, the other says that it waits and looks whether anything has changed. At least one of them must see the other.
 * Of what it/jcstress tries for long this is a short form, for each build; a session's own words are tried here alone.
 */
class DekkerTest {
    private static final int MAX_ROUNDS = 300_000;
    private static final long MAX_NANOS = 1_500_000_000L;
    private static final int FIRST = SlotDescriptor.FIRST_BYTES;
    private static final int MESSAGE = 2_500; // more than a quarter of the ring

    @TempDir
    private Path directory;
    private SessionPair sessions;
    private ShmLink near;
    private ShmLink far;
    private Words ring0;
    private final Waiter nobody = source -> { };

    @BeforeAll
    static void loadFutex() {
        require(Futex.load() == null, 0);
    }

    @BeforeEach
    void open() throws IOException {
        sessions = SessionPair.open(directory, 2 * FIRST, 1);
        sessions.reset(0);
        near = sessions.link(sessions.initiator(), 0, 1);
        far = sessions.link(sessions.acceptor(), 0, 1);
        ring0 = sessions.ringControl(0, 0);
    }

    @AfterEach
    void close() throws IOException {
        sessions.close();
    }

    @Test
    void shouldRingAReaderOrBeSeenByIt() throws Exception {
        ByteBuffer message = ByteBuffer.allocate(MESSAGE);
        ByteBuffer drain = ByteBuffer.allocate(FIRST);
        boolean[] seen = {false};
        race(() -> near.send(message.clear()), () -> {
            far.arm(OP_READ, nobody);
            seen[0] = far.isReady(OP_READ);
        }, round -> {
            require(seen[0] || ring0.getAcquire(READER_ARM) == 0, round);
            require(far.receive(drain.clear()) == MESSAGE, round);
            ring0.putRelease(READER_ARM, 0);
        });
    }

    @Test
    void shouldRingAWriterOrBeSeenByIt() throws Exception {
        ByteBuffer fill = ByteBuffer.allocate(2 * FIRST);
        ByteBuffer drain = ByteBuffer.allocateDirect(MESSAGE);
        boolean[] seen = {false};
        near.send(fill.clear()); // the whole ring is in use from now on, and full
        race(() -> far.receive(drain.clear()), () -> {
            near.arm(OP_WRITE, nobody);
            seen[0] = near.isReady(OP_WRITE);
        }, round -> {
            require(seen[0] || ring0.getAcquire(WRITER_ARM) == 0, round);
            require(near.send(fill.clear()) == MESSAGE, round);
            ring0.putRelease(WRITER_ARM, 0);
            touch(drain);
        });
    }

    @Test
    void shouldWakeASleepingReaderOrBeSeenByIt() throws Exception {
        ByteBuffer message = ByteBuffer.allocate(MESSAGE);
        ByteBuffer drain = ByteBuffer.allocate(FIRST);
        SlotSleeper sleeper = new SlotSleeper(ring0, READER_ARM);
        boolean[] seen = {false};
        race(() -> near.send(message.clear()), () -> {
            sleeper.enter();
            seen[0] = far.isReady(OP_READ);
        }, round -> {
            require(seen[0] || ring0.getAcquire(READER_ARM) == 0, round);
            require(far.receive(drain.clear()) == MESSAGE, round);
            sleeper.leave();
            require(ring0.getAcquire(READER_ARM) == 0, round);
        });
    }

    /** What this process itself changes, a close for example. */
    @Test
    void shouldWakeASleeperFromWithinOrBeSeenByIt() throws Exception {
        ByteBuffer work = ByteBuffer.allocateDirect(MESSAGE);
        AtomicBoolean changed = new AtomicBoolean();
        SlotSleeper sleeper = new SlotSleeper(ring0, READER_ARM);
        boolean[] seen = {false};
        race(() -> {
            touch(work);
            changed.setPlain(true);
            VarHandle.fullFence(); // as in RingLink.wake
            sleeper.wake();
        }, () -> {
            sleeper.enter();
            seen[0] = changed.getPlain();
        }, round -> {
            require(seen[0] || ring0.getAcquire(READER_ARM) == 0, round);
            sleeper.leave();
            changed.setPlain(false);
            touch(work);
        });
    }

    @Test
    void shouldRingABellOrBeSeenByItsOwner() throws Exception {
        ByteBuffer work = ByteBuffer.allocateDirect(MESSAGE);
        Bell bell = Bell.take(sessions.bells().page());
        boolean[] seen = {false};
        race(() -> {
            touch(work);
            bell.prepare(false);
            seen[0] = sessions.acceptor().isRung();
        }, () -> sessions.initiator().wake(bell.number(), 0), round -> {
            require(seen[0] || sessions.initiator().peerBells().ring(bell.number()) == Bell.AWAKE, round);
            bell.awake();
            sessions.acceptor().collect();
            touch(work);
        });
        bell.release();
    }

    @Test
    void shouldWakeTheServiceThreadOrBeSeenByIt() throws Exception {
        ByteBuffer work = ByteBuffer.allocateDirect(MESSAGE);
        ByteBuffer frames = ByteBuffer.allocate(FIRST);
        boolean[] seen = {false};
        race(() -> {
            touch(work);
            sessions.acceptor().parkService();
            seen[0] = sessions.acceptor().isRung();
        }, () -> sessions.initiator().wake(0, 0), round -> {
            long parked = sessions.acceptor().memory().getAcquire(SessionDescriptor.parked(SessionDescriptor.ACCEPTOR));
            require(seen[0] || parked == 0, round);
            sessions.acceptor().unparkService();
            sessions.acceptor().collect();
            require(sessions.control().far().read(frames.clear()) <= Frame.ring().remaining(), round);
            touch(work);
        });
    }

    /** Takes a buffer's memory away from the other core, so that its next stores there, and those behind, take long. */
    private static void touch(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i += 64) {
            buffer.put(i, (byte) (buffer.get(i) + 1));
        }
    }

    private static void require(boolean holds, int round) {
        if (!holds) {
            throw new AssertionError("neither saw the other in round " + round);
        }
    }

    private interface Act {
        void run() throws IOException;
    }

    private interface Check {
        void run(int round) throws IOException;
    }

    /** Lets two acts begin together, within nanoseconds of each other, and then has the other thread check. */
    private static void race(Act one, Act other, Check check) throws Exception {
        AtomicInteger gate = new AtomicInteger(); // three steps a round: open, one has acted, checked
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> {
            SplittableRandom random = new SplittableRandom(2);
            for (int round = 0; awaitValue(gate, 3 * round + 1, over) && !over.get(); round++) {
                pause(random.nextInt(40));
                act(other, check, gate, round, over);
            }
        });
        SplittableRandom random = new SplittableRandom(1);
        long started = System.nanoTime();
        for (int round = 0; round < MAX_ROUNDS && System.nanoTime() - started < MAX_NANOS && !over.get(); round++) {
            gate.incrementAndGet();
            pause(random.nextInt(160)); // the other thread learns of it a little later
            one.run();
            gate.incrementAndGet();
            awaitValue(gate, 3 * round + 3, over);
        }
        over.set(true);
        second.get(10, TimeUnit.SECONDS); // fails as the check did
    }

    private static void act(Act act, Check check, AtomicInteger gate, int round, AtomicBoolean over) {
        boolean done = false;
        try {
            act.run();
            awaitValue(gate, 3 * round + 2, over);
            check.run(round);
            gate.incrementAndGet();
            done = true;
        } catch (IOException e) {
            throw new AssertionError(e);
        } finally {
            over.compareAndSet(false, !done);
        }
    }

    private static int pause(int steps) {
        int sum = steps;
        for (int i = 0; i < steps; i++) {
            sum = sum * 31 + i;
        }
        return sum;
    }

    private static boolean awaitValue(AtomicInteger gate, int value, AtomicBoolean over) {
        for (int looks = 1; gate.get() < value && !over.get(); looks++) {
            if (looks % 2_000 == 0) {
                Thread.yield();
            }
        }
        return true;
    }
}
