/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AcceptQueueTest {
    private static final SpinPolicy NO_SPIN = new SpinPolicy(0, 2);

    /** Spins however many threads run on the machine. */
    private static SpinPolicy spinning(long maxNanos) {
        return new SpinPolicy(maxNanos, 2, 2, System::nanoTime, now -> 1);
    }

    private final AcceptQueue queue = new AcceptQueue(2, NO_SPIN);
    private final List<Object> rings = new ArrayList<>();

    @Test
    void shouldGiveLinksInOrderOfArrival() {
        FakeLink first = new FakeLink();
        FakeLink second = new FakeLink();
        assertThat(queue.poll()).isNull();
        assertThat(queue.isPending()).isFalse();
        assertThat(queue.offer(first)).isTrue();
        assertThat(queue.offer(second)).isTrue();
        assertThat(queue.isPending()).isTrue();
        assertThat(queue.poll()).isSameAs(first);
        assertThat(queue.poll()).isSameAs(second);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isPending()).isFalse();
    }

    @Test
    void shouldTellOffersWhenTheBacklogIsFullAndWhenThereIsRoomAgain() {
        CountingOffer offer = new CountingOffer();
        queue.add(offer);
        queue.offer(new FakeLink());
        queue.offer(new FakeLink());
        assertThat(offer.full).isFalse();
        queue.offer(new FakeLink());
        assertThat(offer.full).as("one more than the backlog, as with TCP").isTrue();
        CountingOffer later = new CountingOffer();
        queue.add(later);
        assertThat(later.full).isTrue();
        queue.poll();
        assertThat(offer.full).isFalse();
        assertThat(later.full).isFalse();
    }

    /** A selector of the JDK's, say, looks at TCP alone: whoever came otherwise would wait for ever. */
    @Test
    void shouldResetAndRefuseWhatNobodyWillAccept() {
        FakeLink before = new FakeLink();
        CountingOffer offer = new CountingOffer();
        queue.add(offer);
        queue.offer(before);
        queue.withdraw();
        assertThat(before.abortedOnClose()).as("reset").isTrue();
        assertThat(queue.isPending()).isFalse();
        assertThat(queue.isOffered()).isFalse();
        assertThat(queue.offer(new FakeLink())).as("what was on its way").isFalse();
    }

    @Test
    void shouldTakeWhatIsOnItsWayToAFullBacklogButNotWithoutEnd() {
        int taken = 0;
        while (queue.offer(new FakeLink())) {
            taken++;
        }
        assertThat(taken).isEqualTo(4096);
        queue.poll();
        assertThat(queue.offer(new FakeLink())).as("room again").isTrue();
    }

    @Test
    void shouldRingWaitersUntilTheyAreRemoved() {
        Waiter waiter = rings::add;
        queue.addWaiter(waiter);
        queue.offer(new FakeLink());
        assertThat(rings).containsExactly(queue);
        queue.removeWaiter(waiter);
        queue.removeWaiter(waiter);
        queue.offer(new FakeLink());
        assertThat(rings).hasSize(1);
    }

    @Test
    void shouldSeeTheLinkWhenRung() {
        queue.addWaiter(source -> rings.add(queue.isPending()));
        queue.offer(new FakeLink());
        assertThat(rings).containsExactly(true);
    }

    @Test
    void shouldResetPendingLinksAndWithdrawOffersAndWakeWaitersOnClose() {
        CountingOffer offer = new CountingOffer();
        FakeLink pending = new FakeLink();
        queue.add(offer);
        queue.addWaiter(rings::add);
        queue.offer(pending);
        rings.clear();
        queue.close();
        assertThat(pending.abortedOnClose()).isTrue();
        assertThat(offer.closed).hasValue(1);
        assertThat(rings).containsExactly(queue);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isPending()).isFalse();
        assertThat(queue.offer(new FakeLink())).as("a link that comes too late").isFalse();
        queue.close();
        assertThat(offer.closed).as("a second close").hasValue(1);
    }

    @Test
    void shouldLeaveAcceptedLinksOpenOnClose() {
        FakeLink accepted = new FakeLink();
        queue.offer(accepted);
        queue.poll();
        queue.close();
        assertThat(accepted.abortedOnClose()).isNull();
    }

    @Test
    void shouldKnowWhetherAnyFabricOffersIt() {
        assertThat(queue.isOffered()).isFalse();
        queue.add(new CountingOffer());
        assertThat(queue.isOffered()).isTrue();
    }

    @Test
    void shouldServeOffersWhileItSpinsAndLeaveThemAfterwards() {
        AcceptQueue spinning = new AcceptQueue(2, spinning(10_000_000_000L));
        CountingOffer offer = new CountingOffer();
        offer.onServe = () -> spinning.offer(new FakeLink());
        spinning.add(offer);
        assertThat(spinning.spin()).isTrue();
        assertThat(offer.served).hasValue(1);
        assertThat(offer.attended).hasValue(1);
        assertThat(offer.left).hasValue(1);
    }

    @Test
    void shouldLeaveOffersWhereAnErrorEndsASpin() {
        AcceptQueue spinning = new AcceptQueue(2, spinning(10_000_000_000L));
        CountingOffer offer = new CountingOffer();
        offer.onServe = () -> {
            throw new OutOfMemoryError("a test's");
        };
        spinning.add(offer);
        assertThatThrownBy(spinning::spin).isInstanceOf(OutOfMemoryError.class);
        assertThat(offer.attended).hasValue(1);
        assertThat(offer.left).hasValue(1);
    }

    @Test
    void shouldNotAttendWhereSpinningIsNotAllowed() {
        CountingOffer offer = new CountingOffer();
        queue.add(offer);
        assertThat(queue.spin()).isFalse();
        assertThat(offer.attended).hasValue(0);
        queue.offer(new FakeLink());
        assertThat(queue.spin()).isTrue();
    }

    @Test
    void shouldMakeWhatPeersTakeForConnected() {
        CountingOffer offer = new CountingOffer();
        FakeLink first = new FakeLink();
        offer.onServe = () -> queue.offer(first);
        queue.add(offer);
        assertThat(queue.isPending()).as("as far as is known").isFalse();
        assertThat(queue.pollPending()).isTrue();
        assertThat(queue.poll()).isSameAs(first);
        assertThat(offer.served).as("while something was pending").hasValue(1);
        offer.onServe = () -> queue.offer(new FakeLink());
        assertThat(queue.poll()).isNotNull();
    }

    @Test
    void shouldArmOffersForWhoIsAboutToSleepUnlessSomethingIsPending() {
        CountingOffer offer = new CountingOffer();
        queue.add(offer);
        assertThat(queue.arm()).isFalse();
        assertThat(offer.armed).hasValue(1);
        assertThat(offer.served).as("looks that say nothing of a sleep").hasValue(0);
        offer.onServe = () -> queue.offer(new FakeLink());
        assertThat(queue.arm()).as("one came just then").isTrue();
        assertThat(queue.arm()).isTrue();
        assertThat(offer.armed).hasValue(2);
    }

    @Test
    void shouldEndASpinWhenAnotherThreadCloses() throws InterruptedException {
        AcceptQueue spinning = new AcceptQueue(2, spinning(Long.MAX_VALUE));
        CountDownLatch spins = new CountDownLatch(1);
        CountingOffer offer = new CountingOffer();
        offer.onServe = spins::countDown;
        spinning.add(offer);
        Thread thread = new Thread(spinning::spin);
        thread.start();
        spins.await();
        spinning.close();
        thread.join();
        assertThat(offer.left).hasValue(1);
    }

    // ---- bells

    @Test
    void shouldHavePeersRingTheBellOfWhoeverWaitsAlone() {
        CountingOffer offer = new CountingOffer();
        BellWaiter one = new BellWaiter(3);
        BellWaiter other = new BellWaiter(4);
        queue.add(offer);
        assertThat(offer.bell).as("nobody waits").isZero();
        queue.addWaiter(one);
        assertThat(offer.bell).isEqualTo(3);
        queue.addWaiter(other);
        assertThat(offer.bell).as("the service thread rings both").isZero();
        queue.removeWaiter(one);
        assertThat(offer.bell).isEqualTo(4);
        queue.removeWaiter(other);
        assertThat(offer.bell).isZero();
    }

    @Test
    void shouldTellAnOfferThatComesLaterWhoWaits() {
        CountingOffer offer = new CountingOffer();
        queue.addWaiter(new BellWaiter(3));
        queue.add(offer);
        assertThat(offer.bell).isEqualTo(3);
    }

    // ---- TCP

    @Test
    void shouldNotWatchTcpWhereNoFabricCan() {
        queue.add(new CountingOffer());
        assertThat(queue.watchTcp(null)).isFalse();
    }

    @Test
    void shouldWatchTcpByOneFabricOnceAndExpectEachTime() {
        WatchingOffer first = new WatchingOffer();
        WatchingOffer second = new WatchingOffer();
        queue.add(first);
        queue.add(second);
        assertThat(queue.watchTcp(null)).isTrue();
        assertThat(queue.watchTcp(null)).isTrue();
        assertThat(first.begun).isEqualTo(1);
        assertThat(first.expected).isEqualTo(2);
        assertThat(second.begun).isZero();
        queue.close();
        assertThat(first.ended).isEqualTo(1);
    }

    @Test
    void shouldNotRelyOnAWatchThatHasFailed() {
        WatchingOffer offer = new WatchingOffer();
        queue.add(offer);
        assertThat(queue.watchTcp(null)).isTrue();
        offer.able = false;
        assertThat(queue.watchTcp(null)).isFalse();
    }

    @Test
    void shouldNotBeginToWatchOnceClosed() {
        WatchingOffer offer = new WatchingOffer();
        queue.add(offer);
        queue.close();
        assertThat(queue.watchTcp(null)).isFalse();
        assertThat(offer.begun).isZero();
    }

    @Test
    void shouldTellOfATcpClientOnceAndLeaveTcpToItsSelectorForAWhile() {
        WatchingOffer offer = new WatchingOffer();
        queue.add(offer);
        queue.addWaiter(source -> rings.add(queue.hasTcpClient()));
        assertThat(queue.watchTcp(null)).isTrue();
        assertThat(queue.hasTcpClient()).isFalse();
        offer.onClient.run();
        assertThat(rings).as("seen when rung").containsExactly(true);
        assertThat(queue.isPending()).as("no link").isFalse();
        assertThat(queue.watchTcp(null)).as("not taken").isFalse();
        assertThat(queue.takeTcpClient()).isTrue();
        assertThat(queue.takeTcpClient()).isFalse();
        assertThat(queue.hasTcpClient()).isFalse();
        assertThat(queue.watchTcp(null)).as("one came a moment ago").isFalse();
        assertThat(offer.expected).isEqualTo(1);
    }

    /**
     * A waiter with a bell.
     *
     * @param bell its number
     */
    private record BellWaiter(int bell) implements Waiter {
        @Override
        public void wake(Object source) {
            throw new AssertionError("nothing has come");
        }
    }

    /** Of a fault in mapped memory: what a peer has taken back. */
    @Test
    void shouldGoOnAfterAnErrorThatAnOfferCanMend() {
        CountingOffer offer = new CountingOffer();
        queue.add(offer);
        offer.onServe = () -> {
            throw new InternalError("a fault");
        };
        assertThatThrownBy(queue::pollPending).isInstanceOf(InternalError.class).hasMessage("a fault");
        offer.mends = true;
        assertThat(queue.pollPending()).isFalse();
        assertThat(queue.spin()).isFalse();
        assertThat(queue.mend()).isTrue();
    }

    private static final class WatchingOffer extends CountingOffer {
        private Runnable onClient;
        private boolean able = true;
        private int begun;
        private int expected;
        private int ended;

        @Override
        public TcpWatch watch(ServerSocketChannel tcp, Runnable whenOneComes) {
            begun++;
            onClient = whenOneComes;
            return new TcpWatch() {
                @Override
                public boolean expect() {
                    expected++;
                    return able;
                }

                @Override
                public void close() {
                    ended++;
                }
            };
        }
    }

    private static class CountingOffer implements ListenOffer {
        private final AtomicInteger attended = new AtomicInteger();
        private final AtomicInteger served = new AtomicInteger();
        private final AtomicInteger armed = new AtomicInteger();
        private final AtomicInteger left = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private Runnable onServe = () -> { };
        private int bell;
        private boolean full;
        private boolean mends;

        @Override
        public boolean mend() {
            return mends;
        }

        @Override
        public void full(boolean isFull) {
            full = isFull;
        }

        @Override
        public void ringBell(int number) {
            bell = number;
        }

        @Override
        public void attend() {
            attended.incrementAndGet();
        }

        @Override
        public void serve() {
            served.incrementAndGet();
            onServe.run();
        }

        @Override
        public void leave() {
            left.incrementAndGet();
        }

        @Override
        public void arm() {
            armed.incrementAndGet();
            onServe.run();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
