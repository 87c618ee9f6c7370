/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.FakeLink;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the suite cannot see from outside: which channels are polled, armed and forgotten. A selector without keys of
 * the JDK's sleeps on its bell, where there is a futex.
 */
@ParameterizedClass(name = "futex = {0}")
@ValueSource(booleans = {true, false})
@Timeout(30)
class RSelectorTest {
    private static final long LONG_MILLIS = 5000;
    private static final SpinPolicy SPINNING = new SpinPolicy(50_000, 2);

    private final boolean futex;
    private RSelector selector;
    private Thread selecting; // the last one that was started

    RSelectorTest(boolean futex) {
        this.futex = futex;
    }

    @BeforeEach
    void open() throws Exception {
        if (futex) {
            FutexSwitch.on();
        } else {
            FutexSwitch.off();
        }
        selector = new RSelector(JdkProvider.get(), SPINNING, Bell.unshared());
    }

    @AfterEach
    void close() throws Exception {
        selector.close();
        FutexSwitch.on();
    }

    @Test
    void shouldPollOnlyWhatIsActive() throws Exception {
        List<FakeChannel> idle = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            idle.add(FakeChannel.linked());
            idle.get(i).register(selector, OP_READ);
        }
        FakeChannel busy = FakeChannel.linked();
        busy.register(selector, OP_READ);
        busy.setReady(OP_READ);
        selectAndClear(200);
        int before = polls(idle);
        selectAndClear(10_000);
        assertThat(polls(idle)).isEqualTo(before);
        assertThat(idle).allMatch(channel -> channel.arms.get() == 1);
        assertThat(busy.arms).hasValue(0);
    }

    @Test
    void shouldPollACompletionQueueOnceForAllChannelsThatShareIt() throws Exception {
        List<FakeChannel> channels = new ArrayList<>();
        List<FakeLink> links = new ArrayList<>();
        Object queue = new Object();
        for (int i = 0; i < 20; i++) {
            FakeLink link = new FakeLink("fake", new InetSocketAddress("127.0.0.1", 2));
            link.tellBy(i == 7 ? null : queue);
            links.add(link);
            FakeChannel channel = new FakeChannel();
            channel.link(link);
            channel.register(selector, OP_READ);
            channel.setReady(OP_READ);
            channels.add(channel);
        }
        selectAndClear(100);
        assertThat(channels).allMatch(channel -> channel.polls.get() == 100);
        assertThat(links.stream().mapToInt(FakeLink::completionPolls).sum()).isEqualTo(100);
    }

    @Test
    void shouldArmListenersBeforeItSleeps() throws Exception {
        CountingOffer offer = new CountingOffer();
        AcceptQueue queue = new AcceptQueue(1, new SpinPolicy(0, 2), (path, client) -> true);
        queue.add(offer);
        FakeChannel listener = new FakeChannel();
        listener.listen(queue);
        listener.register(selector, OP_READ);
        assertThat(selector.selectNow()).isZero();
        assertThat(offer.served).hasPositiveValue();
        assertThat(offer.armed).as("it does not sleep").hasValue(0);
        CompletableFuture<Integer> selected = selectInBackground(0);
        Threads.await("arm", () -> offer.armed.get() > 0);
        selector.wakeup();
        assertThat(selected.get()).isZero();
    }

    /** Nobody connects to it. */
    private static final class CountingOffer implements ListenOffer {
        private final AtomicInteger served = new AtomicInteger();
        private final AtomicInteger armed = new AtomicInteger();

        @Override
        public void attend() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void serve() {
            served.incrementAndGet();
        }

        @Override
        public void leave() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void arm() {
            armed.incrementAndGet();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void shouldFindAQuietChannelThatRingsWhileAnotherIsBusy() throws Exception {
        FakeChannel busy = FakeChannel.linked();
        busy.register(selector, OP_READ);
        busy.setReady(OP_READ);
        FakeChannel quiet = FakeChannel.linked();
        SelectionKey key = quiet.register(selector, OP_READ);
        selectAndClear(10_000);
        quiet.setReady(OP_READ);
        quiet.ring();
        selector.select();
        assertThat(selector.selectedKeys()).contains(key);
    }

    @Test
    void shouldWakeUpForAQuietChannelThatRings() throws Exception {
        FakeChannel channel = FakeChannel.linked();
        SelectionKey key = channel.register(selector, OP_READ);
        CompletableFuture<Integer> selected = selectInBackground(0);
        awaitArmed(channel);
        channel.setReady(OP_READ | OP_WRITE);
        channel.ring();
        assertThat(selected.get()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_READ);
    }

    @Test
    void shouldNotReturnForARingWithoutCause() throws Exception {
        FakeChannel channel = FakeChannel.linked();
        channel.register(selector, OP_READ);
        CompletableFuture<Integer> selected = selectInBackground(0);
        for (int i = 1; i <= 5; i++) {
            awaitArms(channel, i);
            channel.ring();
        }
        awaitArms(channel, 6);
        assertThat(selected).isNotDone();
        selector.wakeup();
        assertThat(selected.get()).isZero();
    }

    /** Whoever wakes the selector does so at each of the moments between its first look and its sleep. */
    @Test
    void shouldNotSleepOnceItWasWokenBetweenTwoLooks() throws Exception {
        for (int look = 1; look <= 4; look++) {
            int at = look;
            try (RSelector sleepy = new RSelector(JdkProvider.get(), new SpinPolicy(0, 2), Bell.unshared())) {
                FakeChannel channel = FakeChannel.linked();
                channel.atPoll(number -> {
                    if (number == at) {
                        sleepy.wakeup();
                    }
                });
                channel.register(sleepy, OP_READ);
                long start = System.nanoTime();
                assertThat(sleepy.select(LONG_MILLIS)).isZero();
                assertThat(channel.polls.get()).as("looks").isGreaterThanOrEqualTo(at);
                assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).as("woken at look %d", at)
                        .isLessThan(LONG_MILLIS);
                channel.close();
            }
        }
    }

    @Test
    void shouldTakeUpAPathThatIsChosenWhileItSleeps() throws Exception {
        FakeChannel channel = new FakeChannel();
        channel.setReady(OP_CONNECT);
        channel.register(selector, OP_CONNECT);
        assertThat(selector.select(50)).isZero();
        assertThat(channel.polls).hasValue(0);
        CompletableFuture<Integer> selected = selectInBackground(0);
        Threads.awaitBlocked(selecting, "select");
        channel.link();
        assertThat(selected.get()).isEqualTo(1);
    }

    @Test
    void shouldNotStarveTheChannelsOfTheJdk() throws Exception {
        FakeChannel busy = FakeChannel.linked();
        busy.register(selector, OP_READ);
        busy.setReady(OP_READ);
        shouldNotStarveAPipe();
    }

    /** As the link of a peer is that answers a moment later. */
    @Test
    void shouldNotStarveTheChannelsOfTheJdkWhereAnotherIsReadyAtEachSecondLook() throws Exception {
        FakeChannel busy = FakeChannel.linked();
        busy.register(selector, OP_READ);
        busy.atPoll(number -> busy.setReady(number % 2 == 0 ? OP_READ : 0));
        shouldNotStarveAPipe();
    }

    private void shouldNotStarveAPipe() throws Exception {
        Pipe pipe = JdkProvider.get().openPipe();
        SelectionKey key = pipe.source().configureBlocking(false).register(selector, OP_READ);
        selectAndClear(1000);
        pipe.sink().write(ByteBuffer.allocate(1));
        long start = System.nanoTime();
        while (!selector.selectedKeys().contains(key)) {
            assertThat(selector.select(1000)).isPositive();
            selector.selectedKeys().removeIf(other -> other != key);
            assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
        }
        pipe.source().close();
        pipe.sink().close();
    }

    /** The spin lasts longer than the selection may take. */
    @Test
    void shouldFindWhatTheJdkWatchesWhereTheTimeGoesByInTheSpin() throws Exception {
        try (RSelector patient = new RSelector(JdkProvider.get(), new SpinPolicy(1_000_000_000, 2), Bell.unshared())) {
            FakeChannel idle = FakeChannel.linked();
            idle.register(patient, OP_READ);
            Pipe pipe = JdkProvider.get().openPipe();
            SelectionKey key = pipe.source().configureBlocking(false).register(patient, OP_READ);
            pipe.sink().write(ByteBuffer.allocate(1));
            assertThat(patient.select(1)).isEqualTo(1);
            assertThat(patient.selectedKeys()).containsExactly(key);
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @Test
    void shouldApplyAnInterestWhenTheNextSelectionBegins() throws Exception {
        FakeChannel channel = FakeChannel.linked();
        channel.setReady(OP_WRITE);
        SelectionKey key = channel.register(selector, OP_READ);
        CompletableFuture<Integer> selected = selectInBackground(0);
        awaitArmed(channel);
        key.interestOps(OP_WRITE);
        channel.ring();
        awaitArms(channel, 2);
        assertThat(selected).isNotDone();
        selector.wakeup();
        assertThat(selected.get()).isZero();
        assertThat(selector.selectNow()).isEqualTo(1);
    }

    @Test
    void shouldWithdrawAWaitToWriteWhenItIsOver() throws Exception {
        FakeChannel channel = FakeChannel.linked();
        channel.register(selector, OP_READ | OP_WRITE);
        CompletableFuture<Integer> selected = selectInBackground(0);
        awaitArmed(channel);
        channel.setReady(OP_READ);
        channel.ring();
        assertThat(selected.get()).isEqualTo(1);
        assertThat(channel.disarms).as("it still waits to write").hasValue(0);
        channel.setReady(OP_WRITE);
        selectAndClear(2);
        assertThat(channel.disarms).hasValue(1);
    }

    @Test
    void shouldWithdrawAWaitToWriteThatIsOfNoInterestAnyMore() throws Exception {
        FakeChannel channel = FakeChannel.linked();
        SelectionKey key = channel.register(selector, OP_WRITE);
        assertThat(selector.select(50)).isZero();
        assertThat(channel.disarms).hasValue(0);
        key.interestOps(OP_READ);
        assertThat(selector.select(50)).isZero();
        assertThat(channel.disarms).hasValue(1);
        assertThat(channel.arms).as("for the other one").hasValue(2);
    }

    @Test
    void shouldForgetAChannelThatIsClosedWhileItSleeps() throws Exception {
        FakeChannel channel = FakeChannel.linked();
        channel.register(selector, OP_READ);
        CompletableFuture<Integer> selected = selectInBackground(0);
        awaitArmed(channel);
        channel.close();
        selector.wakeup();
        assertThat(selected.get()).isZero();
        selector.selectNow();
        assertThat(selector.keys()).isEmpty();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(channel.watchers).isEmpty();
    }

    @Test
    void shouldShareAChannelWithAnotherSelector() throws Exception {
        FakeChannel channel = FakeChannel.linked();
        channel.register(selector, OP_READ);
        channel.setReady(OP_READ);
        try (RSelector second = new RSelector(JdkProvider.get(), SPINNING, Bell.unshared())) {
            channel.register(second, OP_READ);
            assertThat(selector.select()).isEqualTo(1);
            assertThat(second.select()).isEqualTo(1);
            channel.keyFor(selector).cancel();
            selector.selectedKeys().clear();
            assertThat(selector.selectNow()).isZero();
            assertThat(channel.watchers).hasSize(1);
            second.selectedKeys().clear();
            assertThat(second.select()).isEqualTo(1);
        }
        assertThat(channel.watchers).isEmpty();
    }

    @Test
    void shouldRefuseTheChannelsOfAThirdProvider() throws Exception {
        AbstractSelectableChannel foreign = new ForeignChannel();
        foreign.configureBlocking(false);
        assertThatThrownBy(() -> foreign.register(selector, OP_READ)).isInstanceOf(IllegalSelectorException.class);
    }

    @Test
    void shouldLetGoOfTheDescriptorsOfClosedUnixSockets() throws Exception {
        selector.selectNow();
        int before = descriptors();
        for (int i = 0; i < 100; i++) {
            DatagramChannel channel = JdkProvider.get().openDatagramChannel();
            channel.configureBlocking(false).register(selector, OP_READ);
            if (i % 2 == 0) {
                selector.selectNow(); // now the inner selector has a key as well
            }
            channel.close();
            selector.selectNow();
        }
        assertThat(descriptors()).isLessThan(before + 50);
    }

    private void selectAndClear(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            selector.select();
            selector.selectedKeys().clear();
        }
    }

    private CompletableFuture<Integer> selectInBackground(long timeoutMillis) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        selecting = new Thread(() -> {
            try {
                result.complete(selector.select(timeoutMillis));
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        }, "selecting");
        selecting.setDaemon(true);
        selecting.start();
        return result;
    }

    private static void awaitArmed(FakeChannel channel) throws Exception {
        awaitArms(channel, 1);
    }

    private static void awaitArms(FakeChannel channel, int count) throws Exception {
        Threads.await("arm " + count, () -> channel.arms.get() >= count);
    }

    private static int polls(List<FakeChannel> channels) {
        return channels.stream().mapToInt(channel -> channel.polls.get()).sum();
    }

    private static int descriptors() {
        String[] names = new File("/proc/self/fd").list();
        return names == null ? 0 : names.length;
    }

    private static final class ForeignChannel extends AbstractSelectableChannel {
        ForeignChannel() {
            super(new RSelectorTest.ForeignProvider());
        }

        @Override
        public int validOps() {
            return OP_READ;
        }

        @Override
        protected void implCloseSelectableChannel() {
            // nothing is open
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
            // there is nothing to block
        }
    }

    private static final class ForeignProvider extends SelectorProvider {
        @Override
        public DatagramChannel openDatagramChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DatagramChannel openDatagramChannel(java.net.ProtocolFamily family) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Pipe openPipe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public java.nio.channels.spi.AbstractSelector openSelector() {
            throw new UnsupportedOperationException();
        }

        @Override
        public java.nio.channels.ServerSocketChannel openServerSocketChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public java.nio.channels.SocketChannel openSocketChannel() {
            throw new UnsupportedOperationException();
        }
    }
}
