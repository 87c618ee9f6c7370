/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.FakeLink;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.TcpWatch;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Resources;
import io.rsockets4j.spi.suite.kit.Task;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sleeping until a link or a TCP connection comes, in each way. */
@ParameterizedClass
@EnumSource
class AcceptSleepTest {
    private static final long NEVER = Long.MAX_VALUE;

    /** How to sleep. */
    enum Way {
        SELECTOR("select"), VIRTUAL("park"), BELL("sleep");

        private final String method;

        Way(String method) {
            this.method = method;
        }
    }

    private final Way way;
    private final Resources resources = new Resources();
    private final AcceptQueue queue = new AcceptQueue(1, new SpinPolicy(0, 1));
    private final FakeOffer offer = new FakeOffer();
    private ServerSocketChannel tcp;
    private AcceptSleep sleep;

    AcceptSleepTest(Way way) {
        this.way = way;
    }

    @BeforeEach
    void listen() throws IOException {
        assumeTrue(way != Way.VIRTUAL
                || Machine.capabilities().contains(Capability.VIRTUAL_THREADS), "no virtual threads");
        tcp = resources.add(JdkProvider.get().openServerSocketChannel());
        tcp.bind(new InetSocketAddress(Machine.address(), 0)).configureBlocking(false);
        queue.add(offer);
        if (way == Way.BELL) {
            FutexSwitch.on();
        }
        sleep = new AcceptSleep(queue, tcp, Bell.unshared());
        resources.add(sleep::close);
    }

    @AfterEach
    void closeAndJoin() {
        resources.close();
    }

    private Task<Boolean> startSleep(long deadlineNanos) {
        return resources.start("sleeper", way == Way.VIRTUAL, () -> sleep.sleep(deadlineNanos));
    }

    @Test
    void shouldWakeWhenTcpConnectionComes() throws Exception {
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(way.method);
        resources.add(SocketChannel.open(tcp.getLocalAddress()));
        if (way == Way.BELL) {
            offer.onClient.run();
        }
        assertThat(sleeper.join()).isTrue();
        assertThat(sleep.isTcpReady()).isTrue();
    }

    @Test
    void shouldWakeWhenRung() throws Exception {
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(way.method);
        assertThat(offer.isArmed).as("else nobody may look for what comes now").isTrue();
        sleep.wake(queue);
        assertThat(sleeper.join()).isFalse();
    }

    @Test
    void shouldNotSleepWhenWokenAfterItHasLooked() throws Exception {
        offer.onLook = () -> sleep.wakeup();
        assertThat(startSleep(NEVER).join()).isFalse();
        offer.onLook = () -> { };
        startSleep(NEVER).awaitBlockedIn(way.method);
    }

    /** The next who has the bell would be taken for awake. */
    @Test
    @Timeout(30)
    void shouldKeepTheBellUntilWhoSleepsHasLeft() throws Exception {
        BellPage page = new BellPage(ByteBuffer.allocateDirect(BellPage.BYTES).order(ByteOrder.nativeOrder()));
        Bell bell = Bell.take(page);
        while (Bell.take(page).number() != 0) {
            continue; // the bell is the next that can be lent
        }
        AcceptSleep other = new AcceptSleep(queue, tcp, bell);
        CountDownLatch looks = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        offer.onLook = () -> {
            looks.countDown();
            awaitUninterruptibly(mayGoOn);
        };
        Task<Boolean> sleeper = resources.start("sleeper", way == Way.VIRTUAL, () -> other.sleep(NEVER));
        looks.await();
        queue.close();
        Task<Void> closer = resources.start("closer", false, () -> {
            other.close();
            return null;
        });
        closer.awaitBlockedIn("close");
        assertThat(Bell.take(page).number()).isZero();
        mayGoOn.countDown();
        assertThat(sleeper.join()).isFalse();
        closer.join();
        assertThat(Bell.take(page).number()).isEqualTo(bell.number());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldNotSleepOnceTheQueueIsClosed() throws Exception {
        queue.close();
        assertThat(startSleep(NEVER).join()).isFalse();
    }

    @Test
    void shouldNotSleepWhereALinkHasCome() throws Exception {
        offer.onLook = () -> queue.offer(new FakeLink("fake", new InetSocketAddress("127.0.0.1", 2)));
        assertThat(startSleep(NEVER).join()).isFalse();
        assertThat(queue.isPending()).isTrue();
    }

    @Test
    void shouldSleepWhereTcpIsSeenWhereTcpClientsCameLately() throws Exception {
        assumeTrue(way == Way.BELL, "only a bell is rung");
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn("sleep");
        offer.onClient.run();
        assertThat(sleeper.join()).as("it has gone again").isFalse();
        Task<Boolean> next = startSleep(NEVER);
        next.awaitBlockedIn("select");
        resources.add(SocketChannel.open(tcp.getLocalAddress()));
        assertThat(next.join()).isTrue();
    }

    @Test
    void shouldSeeTcpConnectionAfterTheDeadlineToo() throws Exception {
        assertThat(startSleep(System.nanoTime()).join()).isFalse();
        resources.add(SocketChannel.open(tcp.getLocalAddress()));
        assertThat(startSleep(System.nanoTime()).join()).isTrue();
    }

    @Test
    void shouldSleepUntilTheDeadline() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(30);
        assertThat(startSleep(deadline).join()).isFalse();
        assertThat(System.nanoTime() - deadline).isNotNegative();
    }

    @Test
    void shouldNotSleepWhenInterruptedBefore() throws Exception {
        Task<Boolean> sleeper = resources.start("sleeper", way == Way.VIRTUAL, () -> {
            Thread.currentThread().interrupt();
            return sleep.sleep(NEVER);
        });
        assertThat(sleeper.join()).isFalse();
        assertThat(sleeper.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    void shouldWakeWhenInterrupted() throws Exception {
        assumeTrue(way != Way.BELL, "whoever interrupts wakes it");
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(way.method);
        sleeper.interrupt();
        assertThat(sleeper.join()).isFalse();
        assertThat(sleeper.wasInterruptedAtEnd()).isTrue();
    }

    /** The descriptor's number may be another's at once, so no one may wait for it any more. */
    @Test
    void shouldHaveWokenTheSleeperOnceClosed() throws Exception {
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(way.method);
        tcp.close();
        sleep.close();
        assertThat(sleeper.join()).isFalse();
    }

    /** Watches TCP where the way is a bell; there the case tells of clients. */
    private final class FakeOffer implements ListenOffer {
        private volatile Runnable onLook = () -> { };
        private volatile Runnable onClient;
        private volatile boolean isArmed;

        @Override
        public void arm() {
            isArmed = true;
            onLook.run();
        }

        @Override
        public void attend() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void serve() {
            onLook.run();
        }

        @Override
        public void leave() {
            throw new UnsupportedOperationException();
        }

        @Override
        public TcpWatch watch(ServerSocketChannel watched, Runnable whenOneComes) {
            onClient = whenOneComes;
            return way == Way.BELL ? new SilentWatch() : null;
        }

        @Override
        public void close() {
            onLook = () -> { };
        }
    }

    private static final class SilentWatch implements TcpWatch {
        @Override
        public boolean expect() {
            return true; // the case tells
        }

        @Override
        public void close() {
            // nothing is watched
        }
    }
}
