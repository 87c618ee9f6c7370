/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Threads;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For whom the watchdog calls one more thread, and that it misses nobody whom it is about to leave. */
@Timeout(30)
class WatchdogTest {
    private final FakeCrew crew = new FakeCrew();
    private final Watchdog.Watch watch = new Watchdog.Watch(crew);

    @AfterEach
    void stop() {
        crew.stopped = true;
    }

    @Test
    void shouldCallOneMoreWhereNobodyPollsAndNothingMoves() throws InterruptedException {
        crew.polled = false;
        watch.activate();
        assertThat(crew.calls.poll(20, TimeUnit.SECONDS)).isTrue(); // stuck
    }

    @Test
    void shouldCallOneMoreWhereTasksWait() throws InterruptedException {
        crew.tasks = true;
        watch.activate();
        assertThat(crew.calls.poll(20, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void shouldLeaveACrewAloneThatPolls() throws InterruptedException {
        watch.activate();
        assertThat(crew.left.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(crew.calls).isEmpty();
    }

    @Test
    void shouldWatchAgainWhereAWorkerBeginsWhileItLeaves() throws InterruptedException {
        crew.beginsWhenLeft = true;
        watch.activate();
        assertThat(crew.left.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(crew.calls.poll(20, TimeUnit.SECONDS)).isTrue(); // though nobody has activated the watch again
    }

    @Test
    void shouldWatchAgainWhenActivatedAfterItHasLeft() throws Exception {
        watch.activate();
        assertThat(crew.left.await(20, TimeUnit.SECONDS)).isTrue();
        crew.polled = false;
        Threads.await("a call", () -> {
            watch.activate(); // as each worker does before it runs tasks; the first may come before it has left
            return !crew.calls.isEmpty();
        });
        assertThat(crew.calls.poll()).isTrue();
    }

    /** A crew that polls and has nothing to do, unless told otherwise. */
    private static final class FakeCrew implements Watchdog.Watched {
        private final BlockingQueue<Boolean> calls = new LinkedBlockingQueue<>();
        private final CountDownLatch left = new CountDownLatch(1);
        private volatile boolean polled = true;
        private volatile boolean tasks;
        private volatile boolean stopped;
        private volatile boolean beginsWhenLeft;
        private int looks; // of the watchdog's thread, in one turn

        @Override
        public int turns() {
            looks = 0;
            return 0;
        }

        /** A second look in one turn says that the watchdog leaves. */
        @Override
        public boolean isPolled() {
            if (++looks == 2) {
                polled &= !beginsWhenLeft;
                left.countDown();
            }
            return polled;
        }

        @Override
        public boolean hasTasks() {
            return tasks;
        }

        @Override
        public boolean isStopped() {
            return stopped;
        }

        @Override
        public void callOneMore(boolean stuck) {
            calls.add(stuck);
        }
    }
}
