/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.CompletionPoller.ARMED;
import static io.rsockets4j.core.rdma.CompletionPoller.MAX_POLL_MILLIS;
import static io.rsockets4j.core.rdma.CompletionPoller.MIN_POLL_MILLIS;
import static io.rsockets4j.core.rdma.CompletionPoller.STALL_POLL_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a poller asks for events, as each costs a wake-up of the completion thread; and what it tells its links. */
@Timeout(20)
class CompletionPollerTest {
    private final LinkTable links = new LinkTable();
    private final FakeQueue queue = new FakeQueue();
    private int wakeUps; // of the completion thread
    private final CompletionPoller poller = new CompletionPoller(queue, links, 1, () -> wakeUps++);
    private final Sleepers.Mark one = new Sleepers.Mark();
    private final Sleepers.Mark other = new Sleepers.Mark();

    @Test
    void shouldAskForAnEventWhileNobodyPolls() {
        assertThat(poller.attend(false)).isEqualTo(ARMED);
        assertThat(queue.notifications).isEqualTo(1);
    }

    @Test
    void shouldAskForNoEventWhileSomeThreadPolls() {
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
        assertThat(queue.notifications).isZero();
        assertThat(poller.attend(false)).as("polled no more").isEqualTo(ARMED);
    }

    @Test
    void shouldNotAskAgainOnceAllSleepersWereRung() {
        poller.arm(one);
        poller.rung(one);
        assertThat(poller.attend(true)).isEqualTo(MAX_POLL_MILLIS);
        assertThat(queue.notifications).isEqualTo(1);
        assertThat(poller.attend(false)).as("they have not polled").isEqualTo(ARMED);
    }

    @Test
    void shouldAskAgainWhileAnotherConnectionIsWaitedFor() {
        poller.arm(one);
        poller.arm(other);
        poller.rung(one);
        poller.poll();
        assertThat(poller.attend(true)).isEqualTo(ARMED);
        assertThat(queue.notifications).isEqualTo(2);
    }

    /** A selector that goes to sleep arms each of its connections. */
    @Test
    void shouldLookOnceForAllWhoGoToSleepOneAfterTheOther() {
        poller.arm(one);
        int polls = queue.polls;
        poller.arm(other);
        assertThat(queue.polls).isEqualTo(polls).isPositive();
        poller.rung(one);
        assertThat(poller.attend(true)).as("the other one still sleeps").isEqualTo(ARMED);
    }

    @Test
    void shouldAskAgainWhileAnyConnectionIsWaitedFor() {
        poller.arm();
        assertThat(poller.attend(true)).isEqualTo(ARMED);
        assertThat(queue.notifications).isEqualTo(2);
    }

    @Test
    void shouldNotAskAgainForTheThreadInFrontWhichAsksItself() {
        poller.sleepsInFront(true);
        poller.armInFront();
        poller.serveInFront();
        assertThat(queue.notifications).as("the completion thread never waited").isEqualTo(1);
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
    }

    /** Else it would have to be woken, so as to look now and then. */
    @Test
    void shouldAskAgainInFrontWhereTheCompletionThreadWaitsForAnEvent() {
        assertThat(poller.attend(false)).isEqualTo(ARMED);
        poller.sleepsInFront(true);
        poller.armInFront();
        poller.serveInFront();
        assertThat(queue.notifications).isEqualTo(2);
        poller.sleepsInFront(false);
        assertThat(poller.attend(true)).as("it came before the thread in front was back").isEqualTo(MAX_POLL_MILLIS);
        poller.sleepsInFront(true);
        poller.armInFront();
        poller.serveInFront();
        assertThat(queue.notifications).as("it looks now and then already").isEqualTo(3);
        poller.sleepsInFront(false);
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
        assertThat(poller.attend(false)).as("nobody has come since").isEqualTo(ARMED);
        assertThat(queue.notifications).isEqualTo(4);
        assertThat(wakeUps).isZero();
    }

    @Test
    void shouldAskAgainInFrontWhileAnotherConnectionIsWaitedFor() {
        poller.arm(one);
        poller.sleepsInFront(true);
        poller.armInFront();
        poller.serveInFront();
        assertThat(queue.notifications).isEqualTo(2);
    }

    @Test
    void shouldAskAgainForTheThreadInFrontThatAnEventHasNotWoken() {
        poller.sleepsInFront(true);
        poller.armInFront();
        poller.poll();
        assertThat(poller.attend(true)).isEqualTo(ARMED);
        assertThat(queue.notifications).isEqualTo(2);
    }

    @Test
    void shouldLookMoreOftenWhereSomeoneStillSleeps() {
        poller.arm(one);
        poller.attend(true);
        poller.poll();
        assertThat(poller.attend(true)).isEqualTo(MIN_POLL_MILLIS);
        poller.forget(one);
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
    }

    @Test
    void shouldLookSeldomOnceNobodySleepsAnyMoreThoughNothingHasCome() {
        poller.arm(one);
        poller.attend(true);
        poller.poll();
        assertThat(poller.attend(true)).isEqualTo(MIN_POLL_MILLIS);
        poller.forget(one);
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
    }

    @Test
    void shouldNotWaitForTheThreadThatPolls() throws Exception {
        queue.mayGoOn = new CompletableFuture<>();
        CompletableFuture<Void> polls = CompletableFuture.runAsync(poller::poll);
        queue.polled.get();
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
        queue.mayGoOn.complete(null);
        polls.get();
    }

    @Test
    void shouldLookMoreOftenWhileASendQueueStalls() {
        poller.stalls().begin();
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(STALL_POLL_MILLIS);
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(STALL_POLL_MILLIS);
        assertThat(wakeUps).as("looks are soon enough").isZero();
        assertThat(queue.notifications).isZero();
        poller.stalls().end();
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
    }

    @Test
    void shouldAskForAnEventWhenASendQueueStallsWhileLooksAreSeldom() {
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
        poller.stalls().begin();
        poller.stalls().end();
        poller.stalls().begin();
        assertThat(wakeUps).as("once is enough until the next look").isEqualTo(1);
        poller.poll();
        assertThat(poller.attend(false)).as("though somebody polls").isEqualTo(ARMED);
        assertThat(queue.notifications).isEqualTo(1);
        poller.poll();
        assertThat(poller.attend(true)).isEqualTo(STALL_POLL_MILLIS);
    }

    @Test
    void shouldNotWakeForASendQueueThatStallsWhileTheNextCompletionIsAnnounced() {
        poller.poll();
        assertThat(poller.attend(false)).isEqualTo(MAX_POLL_MILLIS);
        assertThat(poller.attend(false)).as("polled no more").isEqualTo(ARMED);
        poller.stalls().begin();
        assertThat(wakeUps).isZero();
    }

    @Test
    void shouldHaveReceivesPostedAgainOnceNothingIsLeftToServe() {
        Target target = new Target();
        queue.completed.add(WorkRequestIds.receive(target.tag, 1));
        queue.completed.add(WorkRequestIds.receive(target.tag, 2));
        poller.serveAll();
        assertThat(target.told).containsExactly("completed 1", "completed 2", "post", "post");
    }

    @Test
    void shouldServeNobodyOnceForgotten() {
        Target target = new Target();
        poller.forget(target.tag);
        queue.completed.add(WorkRequestIds.receive(target.tag, 1));
        poller.serveAll();
        assertThat(queue.completed).isEmpty();
        assertThat(target.told).isEmpty();
    }

    @Test
    void shouldTellOnceThatTheQueueHasFailed() {
        Target target = new Target();
        poller.breakDown(new IOException("gone"));
        poller.breakDown(new IOException("again"));
        assertThat(target.told).containsExactly("failed gone");
    }

    /** Takes note of what it is told. */
    private final class Target implements ServedLink {
        private final long tag = links.reserve();
        private final List<String> told = new ArrayList<>();

        Target() {
            links.add(this);
        }

        @Override
        public long tag() {
            return tag;
        }

        @Override
        public void completed(CompletionQueue by, int index, long workRequest) {
            told.add("completed " + WorkRequestIds.value(workRequest));
            poller.defer(this);
        }

        @Override
        public void postDeferred() {
            told.add("post");
        }

        @Override
        public void queueFailed(CompletionQueue failed, IOException cause) {
            assertThat(failed).isSameAs(queue);
            told.add("failed " + cause.getMessage());
        }

        @Override
        public SessionSnapshot snapshot() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void deliver(long deadlineNanos) {
            throw new UnsupportedOperationException();
        }
    }

    /** Counts how often it is asked for an event. */
    private static final class FakeQueue implements CompletionQueue {
        private final List<Long> completed = new ArrayList<>(); // taken one at a time
        private long taken;
        private int notifications;
        private int polls;
        private final CompletableFuture<Void> polled = new CompletableFuture<>();
        private CompletableFuture<Void> mayGoOn = CompletableFuture.completedFuture(null);

        @Override
        public int poll() {
            polls++;
            polled.complete(null);
            mayGoOn.join();
            if (completed.isEmpty()) {
                return 0;
            }
            taken = completed.remove(0);
            return 1;
        }

        @Override
        public void requestNotification() {
            notifications++;
        }

        @Override
        public long workRequestId(int index) {
            return taken;
        }

        @Override
        public int status(int index) {
            throw new AssertionError("empty");
        }

        @Override
        public int vendorError(int index) {
            throw new AssertionError("empty");
        }

        @Override
        public boolean hasImmediate(int index) {
            throw new AssertionError("empty");
        }

        @Override
        public int immediate(int index) {
            throw new AssertionError("empty");
        }

        @Override
        public int byteLength(int index) {
            throw new AssertionError("empty");
        }
    }
}
