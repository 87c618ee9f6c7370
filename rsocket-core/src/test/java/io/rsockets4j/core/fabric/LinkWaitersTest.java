/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is counted and told of those who wait to send. */
class LinkWaitersTest {
    private static final Waiter FIRST = source -> { };
    private static final Waiter SECOND = source -> { };

    private final LinkWaiters waiters = new LinkWaiters();
    private final List<String> told = new ArrayList<>();

    @Test
    void shouldCountEachTimeThatSomeoneBeginsToWaitToSend() {
        waiters.arm(OP_WRITE, FIRST);
        waiters.arm(OP_READ | OP_WRITE, FIRST);
        waiters.arm(OP_WRITE, SECOND);
        assertThat(waiters.stalls()).as("one wait, of two").isEqualTo(1);
        waiters.remove(SECOND);
        waiters.remove(FIRST);
        waiters.arm(OP_WRITE, SECOND);
        assertThat(waiters.stalls()).isEqualTo(2);
    }

    @Test
    void shouldNotCountThoseWhoWaitToReceive() {
        waiters.observe(new Recorder());
        waiters.arm(OP_READ, FIRST);
        waiters.remove(FIRST);
        assertThat(waiters.stalls()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTellOfTheBeginningAndTheEndOfAWaitToSend() {
        waiters.observe(new Recorder());
        waiters.arm(OP_WRITE, FIRST);
        waiters.arm(OP_WRITE, FIRST);
        assertThat(told).containsExactly("begins");
        waiters.remove(SECOND);
        assertThat(told).as("someone still waits").containsExactly("begins");
        waiters.close();
        waiters.remove(FIRST);
        waiters.remove(FIRST);
        assertThat(told).containsExactly("begins", "ends");
        waiters.arm(OP_WRITE, FIRST);
        assertThat(told).as("closed").hasSize(2);
    }

    @Test
    void shouldDoWithoutAnObserver() {
        waiters.arm(OP_WRITE, FIRST);
        waiters.remove(FIRST);
        assertThat(waiters.observer().onStall()).isNull();
        assertThat(waiters.observer().onWake()).isNull();
    }

    @Test
    void shouldCloseOnce() {
        assertThat(waiters.isClosed()).isFalse();
        assertThat(waiters.close()).isTrue();
        assertThat(waiters.close()).as("again").isFalse();
        assertThat(waiters.isClosed()).isTrue();
    }

    private final class Recorder implements LinkObserver {
        @Override
        public Runnable onStall() {
            told.add("begins");
            return () -> told.add("ends");
        }

        @Override
        public Runnable onWake() {
            throw new AssertionError("no ring");
        }
    }
}
