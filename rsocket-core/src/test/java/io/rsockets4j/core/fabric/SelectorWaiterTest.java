/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.bell.PeerBells;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "elsewhere = {0}")
@ValueSource(booleans = {false, true})
class SelectorWaiterTest {
    private final boolean elsewhere;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(BellPage.BYTES);
    private final BellPage page = new BellPage(memory);
    private final PeerBells peers = new PeerBells(memory);
    private Bell bell;
    private Futex futex;
    private Selector inner;
    private SelectorWaiter waiter;

    SelectorWaiterTest(boolean elsewhere) {
        this.elsewhere = elsewhere;
    }

    @BeforeEach
    void open() throws IOException {
        assertThat(Futex.load()).isNull();
        futex = Futex.get();
        bell = Bell.take(page);
        inner = Selector.open();
        waiter = new SelectorWaiter(inner, bell);
    }

    @AfterEach
    void close() throws IOException {
        inner.close();
    }

    private void sleep() throws IOException {
        if (elsewhere) {
            inner.select();
        } else {
            long started = System.nanoTime();
            waiter.sleep(futex, Long.MAX_VALUE);
            assertThat(System.nanoTime() - started).isLessThan(Futex.LONGEST_NANOS);
        }
    }

    @Test
    void shouldSleepOnlyWhereNothingWasRung() {
        assertThat(waiter.prepareToSleep(elsewhere)).isTrue();
        waiter.awake();
        waiter.wake("one");
        assertThat(waiter.prepareToSleep(elsewhere)).isFalse();
        waiter.awake();
        assertThat(waiter.next()).isEqualTo("one");
        assertThat(waiter.next()).isNull();
        assertThat(waiter.prepareToSleep(elsewhere)).isTrue();
    }

    @Test
    void shouldBeWokenWhileItSleeps() throws Exception {
        assertThat(waiter.prepareToSleep(elsewhere)).isTrue();
        Thread sleeper = Thread.currentThread();
        Thread ringer = new Thread(() -> {
            try {
                Eventually.asleepIn(sleeper, "sleep");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                waiter.wake("one");
            }
        });
        ringer.start();
        sleep();
        waiter.awake();
        ringer.join();
        assertThat(waiter.next()).isEqualTo("one");
    }

    @Test
    void shouldNotSleepWhenRungAfterItHasLooked() throws Exception {
        assertThat(waiter.prepareToSleep(elsewhere)).isTrue();
        waiter.wake("one");
        sleep();
        waiter.awake();
        assertThat(waiter.next()).isEqualTo("one");
    }

    @Test
    void shouldNotDisturbTheSelectorWhileItIsAwake() throws IOException {
        waiter.wake("one");
        waiter.prepareToSleep(elsewhere);
        waiter.awake();
        waiter.wake("two");
        assertThat(inner.select(1)).isZero();
        assertThat(waiter.next()).isEqualTo("one");
        assertThat(waiter.next()).isEqualTo("two");
    }

    @Test
    void shouldTellPeersItsBell() {
        assertThat(waiter.bell()).isEqualTo(bell.number()).isPositive();
        assertThat(peers.ring(waiter.bell())).as("awake").isEqualTo(Bell.AWAKE);
        waiter.prepareToSleep(elsewhere);
        assertThat(peers.ring(waiter.bell())).isEqualTo(elsewhere ? Bell.ELSEWHERE : Bell.ASLEEP);
        waiter.awake();
        assertThat(peers.ring(waiter.bell())).as("awake again").isEqualTo(Bell.AWAKE);
    }

    // ---- notes

    @Test
    void shouldLookForNotesBeforeItSleepsAndCollectThemAfterwards() {
        FakePeer first = new FakePeer();
        FakePeer second = new FakePeer();
        waiter.expectNotes(first);
        waiter.expectNotes(second);
        assertThat(waiter.prepareToSleep(elsewhere)).isTrue();
        waiter.awake();
        assertThat(waiter.next()).isNull();
        second.notes.add("note");
        assertThat(waiter.prepareToSleep(elsewhere)).isFalse();
        waiter.awake();
        assertThat(waiter.next()).isEqualTo("note");
        assertThat(waiter.next()).isNull();
        assertThat(waiter.prepareToSleep(elsewhere)).isTrue();
    }

    @Test
    void shouldExpectNotesOfAPeerOnce() {
        FakePeer peer = new FakePeer();
        waiter.expectNotes(peer);
        waiter.expectNotes(new FakePeer());
        waiter.expectNotes(peer);
        waiter.prepareToSleep(elsewhere);
        assertThat(peer.looks).isEqualTo(1);
    }

    @Test
    void shouldForgetAPeerThatHasGone() {
        FakePeer gone = new FakePeer();
        FakePeer stays = new FakePeer();
        waiter.expectNotes(gone);
        waiter.expectNotes(stays);
        gone.over = true;
        gone.notes.add("too late");
        stays.notes.add("note");
        waiter.awake();
        assertThat(waiter.next()).isEqualTo("note");
        assertThat(waiter.next()).isNull();
        int looks = gone.looks;
        assertThat(waiter.prepareToSleep(elsewhere)).isTrue();
        assertThat(gone.looks).isEqualTo(looks);
    }

    @Test
    void shouldGiveItsBellBackAndExpectNothingWhenClosed() {
        FakePeer peer = new FakePeer();
        waiter.expectNotes(peer);
        waiter.close();
        int last = 0;
        for (int next = Bell.take(page).number(); next != 0; next = Bell.take(page).number()) {
            last = next;
        }
        assertThat(last).as("lent again after those that nobody had").isEqualTo(bell.number());
        waiter.prepareToSleep(elsewhere);
        assertThat(peer.looks).isZero();
    }

    @Test
    void shouldAskEachPeerWhetherItHasTakenItsMemoryBack() {
        FakePeer peer = new FakePeer();
        FakePeer other = new FakePeer();
        waiter.expectNotes(peer);
        waiter.expectNotes(other);
        assertThat(waiter.mend()).isFalse();
        peer.broken = true;
        assertThat(waiter.mend()).isTrue();
    }

    private final class FakePeer implements RungLinks {
        private final List<Object> notes = new ArrayList<>();
        private int looks;
        private boolean over;
        private boolean broken;

        @Override
        public boolean isRung() {
            looks++;
            return !notes.isEmpty();
        }

        @Override
        public void collect() {
            notes.forEach(waiter::wake);
            notes.clear();
        }

        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public boolean mend() {
            return broken;
        }
    }
}
