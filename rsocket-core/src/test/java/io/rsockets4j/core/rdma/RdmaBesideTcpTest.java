/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.log.LogCapture;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Peers that are asked beside TCP: what their first and later connects do, and that nobody waits or notices. */
@Timeout(60)
class RdmaBesideTcpTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final RdmaNetwork network = new RdmaNetwork("handshake.millis=3000");
    private final AtomicInteger opens = new AtomicInteger();
    private final LogCapture log = LogCapture.of(RdmaBesideTcp.class);
    private final RdmaBesideTcp beside = beside(network::initiator, MINUTE);

    @AfterEach
    void assertNoViolations() {
        log.close();
        network.close();
        network.assertNoViolations();
    }

    private RdmaBesideTcp beside(Callable<RdmaFabric> opener, long rememberNanos) {
        return new RdmaBesideTcp(() -> {
            opens.incrementAndGet();
            return opener.call();
        }, address -> true, rememberNanos);
    }

    /** It opens no sooner than it may. */
    private RdmaBesideTcp besideOnce(CountDownLatch mayOpen, Callable<RdmaFabric> opener) {
        return beside(() -> {
            assertThat(mayOpen.await(30, TimeUnit.SECONDS)).isTrue();
            return opener.call();
        }, MINUTE);
    }

    private void awaitAnswer(InetSocketAddress remote) throws Exception {
        Eventually.until("an answer from " + remote, () -> beside.passedOver(remote) != Reason.ASKED);
    }

    private static Fabric.ListenRequest request(InetSocketAddress address) {
        return new Fabric.ListenRequest(address, false, false, 8, 0);
    }

    private static AcceptQueue queue() {
        return new AcceptQueue(8, new SpinPolicy(0, 2), (path, client) -> true);
    }

    // ---- connects

    @Test
    void shouldPassThePathOverUntilThePeerHasAnsweredThenTakeIt() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        assertThat(beside.passedOver(listening.address())).isEqualTo(Reason.ASKED);
        awaitAnswer(listening.address());
        assertThat(beside.passedOver(listening.address())).isNull();
        assertThat(listening.queue().poll()).as("to ask is no connection").isNull();
        RdmaLink near = (RdmaLink) beside.connect(listening.address(), new FakePort(), Long.MAX_VALUE);
        RdmaLink far = listening.accept();
        Streams.writeByte(near, 3);
        assertThat(Streams.readByte(far)).isEqualTo(3);
    }

    @Test
    void shouldLeaveNothingBehindByAsking() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        for (int i = 0; i < HalfOpen.MAX_OF_ONE + 2; i++) {
            RdmaBesideTcp another = beside(network::initiator, MINUTE);
            Eventually.until("an answer", () -> another.passedOver(listening.address()) != Reason.ASKED);
            assertThat(another.passedOver(listening.address())).isNull();
        }
        Eventually.until("all queue pairs are gone", () -> network.network.queuePairs().isEmpty());
    }

    @Test
    void shouldPassOverWhoHasNotThePathAndAskAgainLater() throws Exception {
        InetSocketAddress remote = RdmaNetwork.newAddress();
        network.acceptor();
        assertThat(beside.knowsNobodyAt(remote)).as("before it has answered").isFalse();
        beside.passedOver(remote);
        awaitAnswer(remote);
        assertThat(beside.passedOver(remote)).isEqualTo(Reason.NOT_OFFERED);
        assertThat(beside.knowsNobodyAt(remote)).isTrue();
        network.listen(remote);
        Eventually.until("it is asked again", () -> beside.passedOver(remote) == null);
    }

    /** No route leads there: a question tells that nobody is there, a connect that waits tells more. */
    @Test
    void shouldNotWaitAgainWhereAConnectFailedUnlessTcpFindsNobody() throws Exception {
        InetSocketAddress remote = new InetSocketAddress(RdmaNetwork.address("198.51.100.99"), 80);
        beside.passedOver(remote);
        awaitAnswer(remote);
        assertThatThrownBy(() -> beside.connect(remote, new FakePort(), Long.MAX_VALUE))
                .isInstanceOf(IOException.class);
        assertThat(beside.passedOver(remote)).isEqualTo(Reason.NO_ROUTE);
        assertThat(beside.knowsNobodyAt(remote)).isTrue();
        Eventually.until("it is asked again, before the minute is over", () -> {
            beside.nobodyAt(remote); // again and again
            return beside.passedOver(remote) == Reason.NOT_OFFERED;
        });
    }

    @Test
    void shouldAskOnceHoweverOftenTcpFindsNobodyMeanwhile() throws Exception {
        CountDownLatch mayOpen = new CountDownLatch(1);
        RdmaBesideTcp slow = besideOnce(mayOpen, network::initiator);
        InetSocketAddress remote = network.listen().address();
        for (int i = 0; i < 2 * BesideThread.MAX_QUESTIONS; i++) {
            assertThat(slow.passedOver(remote)).isEqualTo(Reason.ASKED);
            slow.nobodyAt(remote);
        }
        mayOpen.countDown();
        Eventually.until("it has answered", () -> slow.passedOver(remote) == null);
    }

    @Test
    void shouldTellWhatThisProcessLacks() throws Exception {
        network.memlock(0);
        network.near.pinnable(0);
        InetSocketAddress remote = network.listen().address();
        beside.passedOver(remote);
        awaitAnswer(remote);
        assertThat(beside.passedOver(remote)).isEqualTo(Reason.MEMLOCK);
    }

    @Test
    void shouldPassOverAPeerThatTakesThePathNoMore() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        beside.passedOver(listening.address());
        awaitAnswer(listening.address());
        listening.queue().close();
        assertThat(beside.connect(listening.address(), new FakePort(), Long.MAX_VALUE)).isNull();
        assertThat(beside.passedOver(listening.address())).isEqualTo(Reason.NOT_OFFERED);
    }

    @Test
    void shouldKeepToThePathWhereTheBacklogIsFull() throws Exception {
        InetSocketAddress address = RdmaNetwork.newAddress();
        AcceptQueue queue = new AcceptQueue(1, new SpinPolicy(0, 2));
        queue.add(network.acceptor().listen(request(address), queue));
        beside.passedOver(address);
        awaitAnswer(address);
        assertThatThrownBy(() -> {
            while (true) {
                beside.connect(address, new FakePort(), Long.MAX_VALUE);
            }
        }).satisfies(e -> assertThat(PathException.reasonOf((IOException) e)).isEqualTo(Reason.BACKLOG_FULL));
        assertThat(beside.passedOver(address)).isNull();
    }

    @Test
    void shouldWaitForThePeerWhereNothingElseIsAllowed() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        assertThat(beside.connect(listening.address(), new FakePort(), Long.MAX_VALUE)).isNotNull();
        assertThat(opens).hasValue(1);
    }

    @Test
    void shouldNotEvenOpenThePathForOtherAddresses() {
        RdmaBesideTcp choosy = new RdmaBesideTcp(() -> {
            opens.incrementAndGet();
            return network.initiator();
        }, RdmaBesideTcp::isPrivate, MINUTE);
        InetSocketAddress remote = new InetSocketAddress(RdmaNetwork.address("203.0.113.1"), 80);
        assertThat(choosy.passedOver(remote)).isEqualTo(Reason.PREFERRED);
        assertThat(choosy.knowsNobodyAt(remote)).isTrue();
        assertThat(opens).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"10.1.2.3, true", "172.16.0.1, true", "192.168.1.1, true", "169.254.0.1, true", "100.64.0.1, true",
        "100.127.255.255, true", "100.128.0.0, false", "100.63.0.0, false", "172.32.0.1, false", "8.8.8.8, false",
        "127.0.0.1, false", "fd07::1, true", "fc00::1, true", "fe80::1, true", "::1, false", "2001:db8::1, false"})
    void shouldTellPrivateAddresses(String address, boolean isPrivate) {
        assertThat(RdmaBesideTcp.isPrivate(RdmaNetwork.address(address))).isEqualTo(isPrivate);
    }

    /** One question waits for its answer; more than may wait are not asked, and another time they are. */
    @Test
    void shouldNotHoldUpConnectsHoweverManyPeersAreAsked() throws Exception {
        CountDownLatch mayOpen = new CountDownLatch(1);
        RdmaBesideTcp slow = besideOnce(mayOpen, network::initiator);
        network.acceptor();
        for (int i = 0; i < 2 * RdmaBesideTcp.ASKING * BesideThread.MAX_QUESTIONS; i++) {
            assertThat(slow.passedOver(RdmaNetwork.newAddress())).isEqualTo(Reason.ASKED);
        }
        mayOpen.countDown();
        InetSocketAddress last = network.listen().address();
        Eventually.until("there is room for one more", () -> slow.passedOver(last) == null);
    }

    @Test
    void shouldHaveSoManyQuestionsWaitAndNoMoreButAllListeners() throws Exception {
        BesideThread thread = new BesideThread();
        CountDownLatch begun = new CountDownLatch(1);
        ReentrantLock held = new ReentrantLock();
        held.lock();
        thread.execute(() -> {
            begun.countDown();
            held.lock(); // until the test has asked
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        AtomicInteger run = new AtomicInteger();
        for (int i = 0; i < BesideThread.MAX_QUESTIONS; i++) {
            assertThat(thread.ask(run::incrementAndGet)).isTrue();
        }
        assertThat(thread.ask(run::incrementAndGet)).isFalse();
        thread.execute(run::incrementAndGet);
        held.unlock();
        Eventually.until("all are run", () -> run.get() == BesideThread.MAX_QUESTIONS + 1);
    }

    // ---- where it cannot be opened

    @Test
    void shouldBeAsIfThePathWereNotThereWhereItCannotBeOpened() throws Exception {
        RdmaBesideTcp broken = beside(() -> {
            throw new PathException(Reason.NO_BINDING, "no libibverbs");
        }, MINUTE);
        InetSocketAddress remote = RdmaNetwork.newAddress();
        broken.passedOver(remote);
        Eventually.until("it is known", () -> broken.passedOver(remote) == Reason.PREFERRED);
        assertThat(broken.knowsNobodyAt(remote)).isTrue();
        assertThat(broken.listen(request(remote), queue())).isNull();
        assertThatThrownBy(() -> broken.connect(remote, new FakePort(), Long.MAX_VALUE))
                .hasMessage("path rdma is not available: no libibverbs");
        assertThat(opens).hasValue(1);
        assertThat(log.lines()).filteredOn(line -> !line.startsWith("DEBUG")).containsExactly(
                "INFO rsockets4j: path rdma is not available: no libibverbs (reason 42 no-binding)");
    }

    // ---- listeners

    @Test
    void shouldOfferAListenerOnceThePathIsOpen() throws Exception {
        RdmaBesideTcp server = beside(network::acceptor, MINUTE);
        InetSocketAddress address = RdmaNetwork.newAddress();
        AcceptQueue queue = queue();
        ListenOffer offer = server.listen(request(address), queue);
        queue.add(offer);
        Eventually.until("it is offered", () -> network.connect(address) != null);
        Link[] accepted = {null};
        Eventually.until("a link to accept", () -> {
            offer.attend();
            offer.serve();
            offer.leave();
            accepted[0] = accepted[0] == null ? queue.poll() : accepted[0];
            return accepted[0] != null;
        });
        offer.close();
        assertThat(network.connect(address)).as("it is withdrawn").isNull();
    }

    @Test
    void shouldOfferNothingThatIsClosedBefore() throws Exception {
        CountDownLatch mayOpen = new CountDownLatch(1);
        RdmaBesideTcp server = besideOnce(mayOpen, network::acceptor);
        InetSocketAddress first = RdmaNetwork.newAddress();
        InetSocketAddress second = RdmaNetwork.newAddress();
        ListenOffer offer = server.listen(request(first), queue());
        AcceptQueue queue = queue();
        queue.add(server.listen(request(second), queue));
        offer.attend(); // which there is none of yet
        offer.serve();
        offer.leave();
        offer.close();
        mayOpen.countDown();
        Eventually.until("the second is offered", () -> network.connect(second) != null);
        assertThat(network.connect(first)).isNull();
    }

    @Test
    void shouldTellAListenerThatItsBacklogBecameFullBeforeItBegan() throws Exception {
        CountDownLatch mayOpen = new CountDownLatch(1);
        RdmaBesideTcp server = besideOnce(mayOpen, network::acceptor);
        InetSocketAddress address = RdmaNetwork.newAddress();
        ListenOffer offer = server.listen(request(address), queue());
        offer.full(true);
        mayOpen.countDown();
        Eventually.until("it is full", () -> {
            try {
                assertThat(network.connect(address)).as("while it is not offered").isNull();
                return false;
            } catch (IOException e) {
                return PathException.reasonOf(e) == Reason.BACKLOG_FULL;
            }
        });
        offer.full(false);
        assertThat(network.connect(address)).isNotNull();
    }

    @Test
    void shouldLeaveLoopbackToOthers() {
        InetSocketAddress loopback = new InetSocketAddress(RdmaNetwork.address("127.0.0.1"), 80);
        assertThat(beside.listen(request(loopback), queue())).isNull();
        assertThat(beside.mayWait(loopback)).isFalse();
        assertThat(opens).hasValue(0);
    }
}
