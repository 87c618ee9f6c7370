/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.FakeFabric;
import io.rsockets4j.core.fabric.FakeLink;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.log.LogCapture;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Resources;
import io.rsockets4j.spi.suite.kit.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sun.nio.ch.NioSocketImpl;

/** What a listening socket offers and accepts, from a fabric and from real TCP clients, and how it ends. */
@Timeout(60)
class LinkListenerTest {
    private static final int BACKLOG = 40;
    private static final int BYTES = 48 << 10; // not the default

    private final Resources resources = new Resources();
    private final FakeFabric fabric = new FakeFabric("shm");
    private final Engine engine = FakeFabric.engine("shm,tcp", "", fabric);
    private final TcpSocket tcp = new TcpSocket(new NioSocketImpl(true));
    private final ListenerSettings settings = new ListenerSettings(tcp);
    private InetSocketAddress address;

    @BeforeAll
    static void addTheDoor() throws IOException, IllegalAccessException {
        JavaBase.add();
    }

    @BeforeEach
    void bind() throws IOException {
        tcp.create(true);
        resources.add(tcp::close);
        tcp.bind(Machine.address(), 0);
        address = tcp.bound();
    }

    @AfterEach
    void closeAndJoin() {
        resources.close();
    }

    private LinkListener listen() throws IOException {
        return listen(engine, false);
    }

    private LinkListener listen(Engine by, boolean portKnown) throws IOException {
        LinkListener listener = LinkListener.listen(by, tcp, settings, BACKLOG, portKnown);
        if (listener != null) {
            resources.add(listener::close);
        }
        return listener;
    }

    private Task<FakeTarget> startAccept(LinkListener listener, FakeTarget target) {
        resources.add(target.tcp::close);
        return resources.start("acceptor", false, () -> {
            listener.accept(target);
            return target;
        });
    }

    private FakeTarget accept(LinkListener listener) throws IOException {
        FakeTarget target = new FakeTarget();
        resources.add(target.tcp::close);
        listener.accept(target);
        return target;
    }

    private FakeLink offerLink(int port) {
        FakeLink link = new FakeLink("shm", new InetSocketAddress(Machine.address(), port));
        assertThat(fabric.queue.offer(link)).isTrue();
        return link;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel client = resources.add(JdkProvider.get().openSocketChannel());
        client.connect(address);
        return client;
    }

    private boolean isTcpRefused() {
        try (SocketChannel client = JdkProvider.get().openSocketChannel()) {
            return !client.connect(address);
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- what it offers

    @Test
    void shouldAskTheFabricForWhatTheProgramAsksFor() throws IOException {
        settings.set(SocketOptions.SO_RCVBUF, BYTES);
        listen();
        assertThat(fabric.request.address()).isEqualTo(address);
        assertThat(fabric.request.backlog()).isEqualTo(BACKLOG);
        assertThat(fabric.request.receiveBytes()).isPositive()
                .isEqualTo(tcp.getOption(StandardSocketOptions.SO_RCVBUF));
        assertThat(fabric.request.shared()).isFalse();
        assertThat(fabric.request.ipv4Only()).isFalse();
    }

    @Test
    void shouldOfferAKnownPortBeforeTcpListens() throws IOException {
        AtomicBoolean refused = new AtomicBoolean();
        fabric.announces = true;
        fabric.whenAnnounced = () -> refused.set(isTcpRefused());
        assertThat(listen(engine, true)).isNotNull();
        assertThat(refused).as("nobody listens before").isTrue();
        assertThat(fabric.listened).as("a second offer").isZero();
        assertThat(isTcpRefused()).isFalse();
    }

    @Test
    void shouldOfferAPortThatTheKernelChoosesOnceTcpListens() throws IOException {
        fabric.announces = true;
        fabric.whenAnnounced = () -> {
            throw new AssertionError("nobody can know it");
        };
        assertThat(listen(engine, false)).isNotNull();
        assertThat(fabric.listened).isOne();
    }

    @Test
    void shouldWithdrawWhatItHasAnnouncedWhereTcpCannotListen() {
        fabric.announces = true;
        fabric.whenAnnounced = () -> {
            try {
                tcp.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        };
        assertThatThrownBy(() -> listen(engine, true)).isExactlyInstanceOf(SocketException.class)
                .hasMessage("Socket closed");
        assertThat(fabric.queue.isClosed()).isTrue();
    }

    @Test
    void shouldLeaveToTcpAPortThatOthersShare() throws IOException {
        settings.set(StandardSocketOptions.SO_REUSEPORT, true);
        fabric.announces = true;
        assertThat(listen(engine, true)).isNull();
        assertThat(fabric.request).isNull();
        assertThat(isTcpRefused()).isFalse();
    }

    @Test
    void shouldLeaveToTcpWhatNoFabricTakesUnlessItIsToTurnTcpClientsAway() throws IOException {
        fabric.listens = false;
        assertThat(listen()).isNull();
        assertThat(isTcpRefused()).isFalse();
        assertThat(listen(FakeFabric.engine("shm", "", fabric), false)).isNotNull();
    }

    @Test
    void shouldListenOnTcpAloneWhereItCannotWaitForLinks() throws IOException {
        fabric.whenBellIsLent = () -> {
            throw new IllegalStateException("no bell");
        };
        LogCapture log = LogCapture.of(LinkListener.class);
        resources.add(log::close);
        assertThat(listen()).isNull();
        assertThat(log.lines()).singleElement().asString()
                .startsWith("WARNING rsockets4j: listening on TCP alone: ").contains("no bell");
        assertThat(fabric.queue.isClosed()).as("clients shall not come by the fabric").isTrue();
        assertThat(isTcpRefused()).isFalse();
        assertThatThrownBy(() -> listen(FakeFabric.engine("shm", "", fabric), false)).hasMessage("no bell");
        assertThat(fabric.queue.isClosed()).isTrue();
    }

    // ---- what it accepts

    @Test
    void shouldAcceptLinksInTheOrderInWhichTheyCome() throws IOException {
        LinkListener listener = listen();
        List<FakeLink> links = List.of(offerLink(1), offerLink(2), offerLink(3));
        for (FakeLink link : links) {
            FakeTarget target = accept(listener);
            assertThat(target.link).isSameAs(link);
            assertThat(target.from).isSameAs(settings);
            assertThat(target.acceptedAt).isNull();
        }
    }

    @Test
    void shouldGiveATcpClientItsTurnAfterSixteenLinks() throws IOException {
        LinkListener listener = listen();
        connect();
        for (int i = 1; i <= 20; i++) {
            offerLink(i);
        }
        for (int i = 1; i <= 16; i++) {
            assertThat(accept(listener).link.remoteAddress().getPort()).isEqualTo(i);
        }
        FakeTarget seventeenth = accept(listener);
        assertThat(seventeenth.link).isNull();
        assertThat(seventeenth.acceptedAt).isEqualTo(address);
        assertThat(accept(listener).link.remoteAddress().getPort()).isEqualTo(17);
    }

    @Test
    void shouldAcceptALinkThatComesMeanwhile() throws Exception {
        LinkListener listener = listen();
        Task<FakeTarget> acceptor = startAccept(listener, new FakeTarget());
        acceptor.awaitBlockedIn("select");
        FakeLink link = offerLink(1);
        assertThat(acceptor.join().link).isSameAs(link);
    }

    @Test
    void shouldAcceptATcpClientThatComesMeanwhile() throws Exception {
        LinkListener listener = listen();
        Task<FakeTarget> acceptor = startAccept(listener, new FakeTarget());
        acceptor.awaitBlockedIn("select");
        SocketChannel client = connect();
        FakeTarget target = acceptor.join();
        assertThat(target.acceptedAt).as("which the rules ask for").isEqualTo(address);
        assertThat(target.tcp.remoteAddress()).isEqualTo(client.getLocalAddress());
        assertThat(target.link).isNull();
    }

    @Test
    void shouldWaitForTheNextWhereAClientIsTurnedAway() throws Exception {
        LinkListener listener = listen();
        FakeTarget target = new FakeTarget();
        target.turnsAway = true;
        connect();
        Task<FakeTarget> acceptor = startAccept(listener, target);
        acceptor.awaitBlockedIn("select");
        assertThat(target.turnsAway).as("the first is still to come").isFalse();
        SocketChannel next = connect();
        assertThat(acceptor.join().tcp.remoteAddress()).isEqualTo(next.getLocalAddress());
    }

    /** It was seen, and is not there any more when TCP is to accept it. */
    @Test
    void shouldWaitForTheNextWhereAClientHasGone() throws Exception {
        LinkListener listener = listen();
        FakeTarget other = new FakeTarget();
        CountDownLatch gone = new CountDownLatch(1);
        FakeTarget target = new FakeTarget();
        target.beforeTcp = () -> {
            if (gone.getCount() > 0) {
                tcp.accept(other.tcp);
                resources.add(other.tcp::close);
                gone.countDown();
            }
        };
        connect();
        Task<FakeTarget> acceptor = startAccept(listener, target);
        assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
        acceptor.awaitBlockedIn("select");
        FakeLink link = offerLink(1);
        assertThat(acceptor.join().link).isSameAs(link);
    }

    @Test
    void shouldLetTheNextAcceptWhereASocketWasClosedMeanwhile() throws Exception {
        LinkListener listener = listen();
        FakeTarget closed = new FakeTarget();
        closed.failure = new SocketException("Socket closed");
        offerLink(1);
        FakeLink second = offerLink(2);
        assertThatThrownBy(() -> listener.accept(closed)).isSameAs(closed.failure);
        assertThat(startAccept(listener, new FakeTarget()).join().link).isSameAs(second);
    }

    // ---- how a wait ends

    @Test
    void shouldTimeOutByTheProgramsTimeoutNotByTcps() throws IOException {
        LinkListener listener = listen();
        settings.set(SocketOptions.SO_TIMEOUT, 40);
        long begin = System.nanoTime();
        assertThatThrownBy(() -> accept(listener)).isExactlyInstanceOf(SocketTimeoutException.class)
                .hasMessage("Accept timed out");
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(40));
        assertThat(settings.get(SocketOptions.SO_TIMEOUT)).isEqualTo(40);
    }

    @Test
    void shouldTimeOutWhileAnotherThreadAccepts() throws Exception {
        LinkListener listener = listen();
        Task<FakeTarget> first = startAccept(listener, new FakeTarget());
        first.awaitBlockedIn("select");
        settings.set(SocketOptions.SO_TIMEOUT, 40);
        assertThatThrownBy(() -> accept(listener)).isExactlyInstanceOf(SocketTimeoutException.class)
                .hasMessage("Accept timed out");
        assertThat(first.isRunning()).as("it has begun without a timeout").isTrue();
        FakeLink link = offerLink(1);
        assertThat(first.join().link).isSameAs(link);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitOnWhenInterruptedAndKeepTheStatus(boolean behindAnother) throws Exception {
        LinkListener listener = listen();
        settings.set(SocketOptions.SO_TIMEOUT, (int) TimeUnit.MINUTES.toMillis(5));
        if (behindAnother) {
            startAccept(listener, new FakeTarget()).awaitBlockedIn("select");
        }
        Task<FakeTarget> interrupted = startAccept(listener, new FakeTarget());
        String method = behindAnother ? "lock" : "select";
        interrupted.awaitBlockedIn(method);
        interrupted.interrupt();
        interrupted.awaitBlockedIn(method);
        offerLink(1);
        FakeLink last = offerLink(2);
        assertThat(interrupted.join().link).isNotNull();
        assertThat(interrupted.join().link == last).isEqualTo(behindAnother);
        assertThat(interrupted.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    void shouldFailWhoAcceptsOnceClosed() throws Exception {
        LinkListener listener = listen();
        Task<FakeTarget> acceptor = startAccept(listener, new FakeTarget());
        acceptor.awaitBlockedIn("select");
        Task<FakeTarget> behind = startAccept(listener, new FakeTarget());
        behind.awaitBlockedIn("lock");
        listener.close();
        assertThat(acceptor.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
        assertThat(behind.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
        assertThatThrownBy(() -> accept(listener)).isExactlyInstanceOf(SocketException.class);
        assertThat(fabric.queue.isClosed()).isTrue();
        assertThat(isTcpRefused()).isTrue();
    }

    /** Its descriptor's number may be another's at once. */
    @Test
    void shouldNotCloseTcpBeforeWhoAcceptsHasLeft() throws Exception {
        LinkListener listener = listen();
        CompletableFuture<Void> inside = new CompletableFuture<>();
        CountDownLatch mayGoOn = new CountDownLatch(1);
        FakeTarget target = new FakeTarget();
        target.beforeTcp = () -> {
            inside.complete(null);
            awaitLatch(mayGoOn);
        };
        SocketChannel client = connect();
        Task<FakeTarget> acceptor = startAccept(listener, target);
        inside.get(20, TimeUnit.SECONDS);
        Task<Void> closer = resources.start("closer", false, () -> {
            listener.close();
            return null;
        });
        closer.awaitBlockedIn("close");
        assertThat(tcp.isOpen()).isTrue();
        mayGoOn.countDown();
        assertThat(acceptor.join().tcp.remoteAddress()).isEqualTo(client.getLocalAddress());
        closer.join();
        assertThat(tcp.isOpen()).isFalse();
    }

    private static void awaitLatch(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** What happens as TCP is about to accept. */
    private interface Step {
        void run() throws IOException;
    }

    /** A socket that remembers what it was accepted as. */
    private static final class FakeTarget implements LinkListener.Target {
        private final TcpSocket tcp = new TcpSocket(new NioSocketImpl(false));
        private volatile Step beforeTcp = () -> { };
        private volatile SocketException failure;
        private volatile boolean turnsAway; // the next one
        private volatile Link link;
        private volatile ListenerSettings from;
        private volatile InetSocketAddress acceptedAt;

        @Override
        public void accepted(Link established, ListenerSettings listener) throws SocketException {
            if (failure != null) {
                throw failure;
            }
            link = established;
            from = listener;
        }

        @Override
        public TcpSocket tcp() {
            try {
                beforeTcp.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return tcp;
        }

        @Override
        public boolean acceptedTcp(InetSocketAddress listener) throws IOException {
            if (turnsAway) {
                turnsAway = false;
                tcp.renew();
                return false;
            }
            acceptedAt = listener;
            return true;
        }
    }
}
