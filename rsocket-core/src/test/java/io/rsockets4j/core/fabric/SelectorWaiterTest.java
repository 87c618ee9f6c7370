/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SelectorWaiterTest {
    private Selector inner;
    private SelectorWaiter waiter;

    @BeforeEach
    void open() throws IOException {
        inner = Selector.open();
        waiter = new SelectorWaiter(inner);
    }

    @AfterEach
    void close() throws IOException {
        inner.close();
    }

    @Test
    void shouldSleepOnlyWhereNothingWasRung() {
        assertThat(waiter.prepareToSleep()).isTrue();
        waiter.awake();
        waiter.ring("one");
        assertThat(waiter.prepareToSleep()).isFalse();
        waiter.awake();
        assertThat(waiter.next()).isEqualTo("one");
        assertThat(waiter.next()).isNull();
        assertThat(waiter.prepareToSleep()).isTrue();
    }

    @Test
    void shouldBeWokenWhileItSleeps() throws Exception {
        assertThat(waiter.prepareToSleep()).isTrue();
        Thread ringer = new Thread(() -> waiter.ring("one"));
        ringer.start();
        inner.select();
        waiter.awake();
        ringer.join();
        assertThat(waiter.next()).isEqualTo("one");
    }

    @Test
    void shouldNotDisturbTheSelectorWhileItIsAwake() throws IOException {
        waiter.ring("one");
        waiter.prepareToSleep();
        waiter.awake();
        waiter.ring("two");
        assertThat(inner.select(1)).isZero();
        assertThat(waiter.next()).isEqualTo("one");
        assertThat(waiter.next()).isEqualTo("two");
    }

    @Test
    void shouldAskItsDoorbellsBeforeItSleepsAndServeThemAfterwards() throws IOException {
        FakeDoorbell first = new FakeDoorbell();
        FakeDoorbell second = new FakeDoorbell();
        waiter.attach("a", first);
        waiter.attach("b", second);
        assertThat(waiter.prepareToSleep()).isTrue();
        waiter.awake();
        first.rung = true;
        assertThat(waiter.prepareToSleep()).isFalse();
        assertThat(second.prepared).as("all are asked, so that all may be served").isEqualTo(2);
        waiter.awake();
        assertThat(waiter.next()).isSameAs(first);
        assertThat(waiter.next()).isNull();
        assertThat(second.awoken).isEqualTo(2);
        first.close();
        second.close();
    }

    @Test
    void shouldKnowItsDoorbellsByOriginAndByKey() throws IOException {
        FakeDoorbell doorbell = new FakeDoorbell();
        Pipe other = Pipe.open();
        other.source().configureBlocking(false);
        waiter.attach("a", doorbell);
        assertThat(waiter.doorbell("a")).isSameAs(doorbell);
        assertThat(waiter.doorbell("b")).isNull();
        assertThat(waiter.isDoorbell(doorbell.channel().keyFor(inner))).isTrue();
        assertThat(waiter.isDoorbell(other.source().register(inner, SelectionKey.OP_READ, "program"))).isFalse();
        doorbell.close();
        other.source().close();
        other.sink().close();
    }

    @Test
    void shouldForgetDoorbellsWhosePeerHasGone() throws IOException {
        FakeDoorbell gone = new FakeDoorbell();
        FakeDoorbell stays = new FakeDoorbell();
        waiter.attach("gone", gone);
        waiter.attach("stays", stays);
        gone.close();
        waiter.awake();
        assertThat(waiter.doorbell("gone")).isNull();
        assertThat(waiter.doorbell("stays")).isSameAs(stays);
        waiter.prepareToSleep();
        assertThat(gone.prepared).isZero();
        waiter.close();
        assertThat(gone.released).isZero();
        assertThat(stays.released).isEqualTo(1);
        stays.close();
    }

    @Test
    void shouldGiveDoorbellsBackOnce() throws IOException {
        FakeDoorbell doorbell = new FakeDoorbell();
        waiter.attach("a", doorbell);
        waiter.close();
        waiter.close();
        assertThat(doorbell.released).isEqualTo(1);
        doorbell.close();
    }

    private static final class FakeDoorbell implements DirectDoorbell {
        private final Pipe pipe = Pipe.open();
        private boolean rung;
        private int prepared;
        private int awoken;
        private int released;

        FakeDoorbell() throws IOException {
            pipe.source().configureBlocking(false);
        }

        void close() throws IOException {
            pipe.source().close();
            pipe.sink().close();
        }

        @Override
        public SelectableChannel channel() {
            return pipe.source();
        }

        @Override
        public boolean prepareToSleep() {
            prepared++;
            return !rung;
        }

        @Override
        public void awake(SelectorWaiter owner) {
            awoken++;
            if (rung) {
                owner.rung(this);
                rung = false;
            }
        }

        @Override
        public void release() {
            released++;
        }
    }
}
