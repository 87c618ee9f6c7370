/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread for virtual threads, of sessions that no service thread serves: whatever wakes here came by the bell. */
class VirtualWakerTest {
    private static final long LIMIT_SECONDS = 20;
    private static final int RING_BYTES = 4096;
    private static final int ROUNDS = 20_000;

    @TempDir
    private Path directory;
    private SessionPair sessions;
    private VirtualWaker waker;
    private ShmLink sender;
    private ShmLink receiver;

    /** Counts its rings. */
    private record Rung(int bell, Semaphore rings) implements Waiter {
        @Override
        public void wake(Object source) {
            rings.release();
        }

        boolean await() throws InterruptedException {
            return rings.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @BeforeEach
    void connect() throws IOException {
        FutexSwitch.on();
        sessions = SessionPair.open(directory, RING_BYTES, 1);
        waker = sessions.acceptor().context().virtualWaker();
        sessions.reset(0);
        sender = sessions.link(sessions.initiator(), 0, 1);
        receiver = sessions.link(sessions.acceptor(), 0, 1);
        sessions.initiator().attach(sender);
        sessions.acceptor().attach(receiver);
    }

    @AfterEach
    void close() throws IOException {
        waker.exit();
        sessions.close();
        FutexSwitch.on();
    }

    private Rung arm() {
        Rung waiter = new Rung(sessions.acceptor().bellForVirtual(), new Semaphore(0));
        receiver.arm(OP_READ, waiter);
        return waiter;
    }

    private void sendByte() throws IOException {
        assertThat(sender.send(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @Test
    void shouldRingByItsOwnThreadAlone() throws Exception {
        assertThat(Futex.load()).isNull();
        Rung waiter = arm();
        assertThat(waiter.bell()).isPositive();
        sendByte();
        assertThat(waiter.await()).as("rung").isTrue();
    }

    @Test
    void shouldMissNoByteThatComesBetweenLookAndSleep() throws Exception {
        ByteBuffer one = ByteBuffer.allocate(1);
        for (int round = 0; round < ROUNDS; round++) {
            Rung waiter = arm();
            sendByte();
            if (!receiver.isReady(OP_READ)) {
                assertThat(waiter.await()).as("rung in round %d", round).isTrue();
            } else if (round % 2 == 0) { // every other waiter is left alone, as by a thread that needs no wake-up
                assertThat(waiter.await()).as("rung in round %d", round).isTrue();
            }
            receiver.disarm(waiter);
            assertThat(receiver.receive(one.clear())).isEqualTo(1);
        }
    }

    @Test
    void shouldGoOnAfterTheProcessHasBegunToEnd() throws Exception {
        Rung before = arm();
        waker.exit();
        sendByte();
        assertThat(before.await()).as("rung while the process ends").isTrue();
        receiver.disarm(before);
        Rung after = arm();
        sendByte();
        assertThat(after.await()).as("rung again").isTrue();
    }

    @Test
    void shouldLeaveItToTheServiceThreadWhereThereIsNoFutex() {
        FutexSwitch.off();
        assertThat(sessions.acceptor().bellForVirtual()).isZero();
    }
}
