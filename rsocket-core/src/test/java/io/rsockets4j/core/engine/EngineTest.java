/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.FakeLink;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.log.LogCapture;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a path is chosen, with a fabric whose peers do what the test says. */
class EngineTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);

    private final FakeFabric shm = new FakeFabric("shm");
    private final LogCapture log = LogCapture.of(Engine.class);

    @AfterEach
    void stopCapturing() {
        log.close();
    }

    @Test
    void shouldTakeTheBestPathThatComesUp() throws Exception {
        shm.answer = new FakeLink("shm", PEER);
        assertRoute(connect(engine("shm,tcp", "")), shm.answer, Reason.PREFERRED);
    }

    @Test
    void shouldFallBackWithTheReason() throws Exception {
        Engine engine = engine("shm,tcp", "");
        assertRoute(connect(engine), null, Reason.NOT_OFFERED);
        shm.failure = new PathException(Reason.TIMEOUT, "silence");
        assertRoute(connect(engine), null, Reason.TIMEOUT);
    }

    @Test
    void shouldTellAtOnceWhereNobodyIsKnownToBe() throws Exception {
        Engine engine = engine("shm,tcp", "");
        assertThat(engine.knownTcp(PEER)).as("it has to be looked at").isNull();
        shm.knowsNobody = true;
        assertThat(engine.knownTcp(PEER)).as("who is there has to be looked into").isNull();
        connect(engine);
        assertThat(engine.knownTcp(PEER)).isEqualTo(Reason.NOT_OFFERED);
        shm.passedOver = Reason.MEMLOCK;
        assertThat(engine.knownTcp(PEER)).isEqualTo(Reason.MEMLOCK);
        shm.passedOver = Reason.PREFERRED;
        assertThat(engine.knownTcp(PEER)).as("nothing is missed").isEqualTo(Reason.PREFERRED);
        assertThat(engine("tcp,shm", "").knownTcp(PEER)).isEqualTo(Reason.PREFERRED);
        assertThat(engine("shm", "").knownTcp(PEER)).as("nothing is left but a refusal").isNull();
        assertThat(engine("rdma,tcp", "").knownTcp(PEER)).as("a path whose lack is to be told").isNull();
        assertThat(shm.asked).as("by the connect alone").isOne();
    }

    @Test
    void shouldPassAFabricOverOnlyWhereTcpIsAllowed() throws Exception {
        shm.answer = new FakeLink("shm", PEER);
        shm.passedOver = Reason.ASKED;
        assertRoute(connect(engine("shm,tcp", "")), null, Reason.ASKED);
        assertThat(engine("shm,tcp", "").pathTo(PEER, null).findAtOnce()).as("without waiting").isNotNull();
        shm.passedOver = Reason.PREFERRED;
        assertRoute(connect(engine("shm,tcp", "")), null, Reason.PREFERRED);
        assertThat(shm.asked).isZero();
        assertRoute(connect(engine("shm,tcp", "connect * 80 require shm")), shm.answer, Reason.RULE);
        assertThat(log.lines()).noneMatch(line -> line.contains("goes by tcp"));
    }

    @Test
    void shouldLeaveTcpHalfOfTheTime() throws Exception {
        long now = System.nanoTime();
        long deadline = now + TimeUnit.HOURS.toNanos(2);
        engine("shm,tcp", "").connect(PEER, null, deadline);
        assertThat(shm.deadlineNanos - now).isBetween(TimeUnit.HOURS.toNanos(1), TimeUnit.MINUTES.toNanos(90));
        shm.answer = new FakeLink("shm", PEER);
        engine("shm", "").connect(PEER, null, deadline);
        assertThat(shm.deadlineNanos).isEqualTo(deadline);
    }

    @Test
    void shouldNotAskAFabricBehindTcp() throws Exception {
        shm.answer = new FakeLink("shm", PEER);
        assertRoute(connect(engine("tcp,shm", "")), null, Reason.PREFERRED);
        assertThat(shm.asked).isZero();
    }

    @Test
    void shouldDoWhatARuleSays() throws Exception {
        shm.answer = new FakeLink("shm", PEER);
        assertRoute(connect(engine("shm,tcp", "connect * 80 deny shm")), null, Reason.RULE);
        assertThat(shm.asked).isZero();
        assertThat(connect(engine("tcp,shm", "connect * 80 prefer shm")).reason()).isEqualTo(Reason.RULE);
        assertThat(connect(engine("shm,tcp", "connect * 81 deny shm")).link()).isNotNull();
    }

    @Test
    void shouldRefuseWhatMayNotFallBackAndSayWhy() {
        assertThatThrownBy(() -> connect(engine("shm", ""))).isInstanceOf(ConnectException.class)
                .hasMessage("Connection refused: nobody offers shm at that address, and rsockets4j.paths=shm does not"
                        + " allow tcp (reason 20 not-offered)");
        assertThatThrownBy(() -> connect(engine("shm,tcp", "connect * 80 require shm")))
                .hasMessage("Connection refused: nobody offers shm at that address, and the rule at"
                        + " rsockets4j.rule:1:1 (require shm) does not allow tcp (reason 20 not-offered)");
        assertThatThrownBy(() -> connect(engine("shm,tcp", "connect * 80 deny *")))
                .hasMessageStartingWith("Connection refused: no path is left of rsockets4j.paths=shm,tcp, and the rule")
                .hasMessageEndingWith("(reason 3 no-path-allowed)");
    }

    @Test
    void shouldRememberRefusalsOnlyWhereAskingIsCostly() throws Exception {
        Engine engine = engine("shm,tcp", "");
        connect(engine);
        connect(engine);
        assertThat(shm.asked).isEqualTo(2);
        shm.asksPeer = true;
        connect(engine);
        assertRoute(connect(engine), null, Reason.REMEMBERED);
        assertThat(shm.asked).isEqualTo(3);
        assertThat(log.lines()).anyMatch(line -> line.contains(" did not try it again. Reason 21 remembered. "));
    }

    @Test
    void shouldAskAPeerAgainThatWasOnlyBusy() throws Exception {
        Engine engine = engine("shm,tcp", "");
        shm.asksPeer = true;
        shm.failure = new PathException(Reason.PEER_BUSY, "no room");
        assertRoute(connect(engine), null, Reason.PEER_BUSY);
        shm.failure = null;
        shm.answer = new FakeLink("shm", PEER);
        assertThat(connect(engine).link()).isNotNull();
    }

    @Test
    void shouldWaitForRoomInABacklogRatherThanPassItByTcp() throws Exception {
        Engine engine = engine("shm,tcp", "");
        shm.failure = new PathException(Reason.BACKLOG_FULL, "full");
        PathFinder finder = engine.pathTo(PEER, new FakePort());
        assertThat(finder.findAtOnce()).as("left to whoever may wait").isNull();
        shm.answer = new FakeLink("shm", PEER);
        shm.askedInVain = 5;
        assertRoute(finder.find(Long.MAX_VALUE), shm.answer, Reason.PREFERRED);
    }

    @Test
    void shouldWaitForRoomUntilTheDeadline() {
        Engine engine = engine("shm,tcp", "");
        shm.failure = new PathException(Reason.BACKLOG_FULL, "full");
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
        assertThatThrownBy(() -> engine.connect(PEER, new FakePort(), deadline))
                .isInstanceOf(SocketTimeoutException.class).hasMessage("Connect timed out");
        assertThat(System.nanoTime() - deadline).isNotNegative();
    }

    @Test
    void shouldNotWaitForRoomOnceTheProgramHasClosedItsSocket() {
        Engine engine = engine("shm,tcp", "");
        FakePort port = new FakePort();
        shm.failure = new PathException(Reason.BACKLOG_FULL, "full");
        shm.whenAsked = port::release;
        assertThatThrownBy(() -> engine.connect(PEER, port, Long.MAX_VALUE))
                .isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldLeaveAFabricThatAsksThePeerToWhoeverMayWait() throws Exception {
        shm.asksPeer = true;
        PathFinder finder = engine("shm,tcp", "").pathTo(PEER, null);
        assertThat(finder.findAtOnce()).isNull();
        assertThat(shm.asked).isZero();
        assertRoute(finder.find(Long.MAX_VALUE), null, Reason.NOT_OFFERED);
        assertThat(shm.asked).isEqualTo(1);
    }

    @Test
    void shouldFindAtOnceWhatIsAtHandOrRemembered() throws Exception {
        Engine engine = engine("shm,tcp", "");
        assertRoute(engine.pathTo(PEER, null).findAtOnce(), null, Reason.NOT_OFFERED);
        shm.asksPeer = true;
        connect(engine);
        assertRoute(engine.pathTo(PEER, null).findAtOnce(), null, Reason.REMEMBERED);
        assertThat(shm.asked).isEqualTo(2);
    }

    @Test
    void shouldNotBlameAPeerForTroubleOfThisHost() throws Exception {
        shm.asksPeer = true;
        shm.failure = new PathException(Reason.MEMLOCK, "too low");
        Engine engine = engine("shm,tcp", "");
        connect(engine);
        connect(engine);
        assertThat(shm.asked).isEqualTo(2);
    }

    @Test
    void shouldNotBlameAPeerForAChannelThatIsClosedMeanwhile() throws Exception {
        shm.asksPeer = true;
        shm.failure = new ClosedChannelException();
        Engine engine = engine("shm,tcp", "");
        assertThatThrownBy(() -> connect(engine)).isSameAs(shm.failure);
        assertThatThrownBy(() -> connect(engine)).isSameAs(shm.failure);
        assertThat(log.lines()).singleElement().asString().contains("paths=shm,tcp");
    }

    @Test
    void shouldSayNothingOfAConnectThatTcpRefusesToo() throws Exception {
        shm.failure = new PathException(Reason.NO_MEMORY, "full");
        Engine engine = engine("shm,tcp", "");
        assertRoute(engine.connect(PEER, null, Long.MAX_VALUE), null, Reason.NO_MEMORY);
        assertThat(log.lines()).singleElement().asString().contains("paths=shm,tcp");
        connect(engine);
        assertThat(log.lines()).hasSize(2).last().asString().startsWith("WARNING ").contains("goes by tcp: shm: full.");
    }

    @Test
    void shouldSayOnceThatItRunsAndOnceWhyItFallsBack() throws Exception {
        Engine engine = engine("shm,tcp", "");
        for (int i = 0; i < 3; i++) {
            connect(engine);
        }
        shm.failure = new PathException(Reason.TIMEOUT, "silence");
        connect(engine);
        assertThat(log.lines()).hasSize(3);
        assertThat(log.lines().get(0)).startsWith("INFO rsockets4j").endsWith(" paths=shm,tcp");
        assertThat(log.lines().get(1))
                .startsWith("INFO rsockets4j: a connect to " + PEER + " goes by tcp: nobody offers shm at that")
                .contains("Reason 20 not-offered. " + Reason.NOT_OFFERED.advice());
        assertThat(log.lines().get(2)).contains("shm: silence. Reason 23 timeout");
    }

    @Test
    void shouldNotWarnOfWhatWasAskedFor() throws Exception {
        Engine engine = engine("shm,tcp", "connect * 80 deny shm");
        connect(engine);
        assertThat(log.lines()).singleElement().asString().endsWith(" paths=shm,tcp, rules: 1");
    }

    @Test
    void shouldOfferAListenerOnlyWhereARuleLetsClientsIn() {
        assertThat(engine("shm,tcp", "").listen(request(), null).isOffered()).isTrue();
        assertThat(engine("shm,tcp", "bind * 80 deny shm").listen(request(), null).isOffered()).isFalse();
        assertThat(engine("shm,tcp", "accept * 80 deny shm").listen(request(), null).isOffered()).isFalse();
    }

    @Test
    void shouldOfferAListenerBeforeTcpListensOnceAndOnlyWhereItMay() {
        Engine engine = engine("shm,tcp", "");
        shm.announces = true;
        Announcement announced = engine.announce(request());
        assertThat(announced.queue().isOffered()).isTrue();
        assertThat(engine.listen(request(), announced)).isSameAs(announced.queue());
        assertThat(shm.listened).as("offered already").isZero();
        assertThat(engine("shm,tcp", "bind * 80 deny shm").announce(request()).queue().isOffered()).isFalse();
        Fabric.ListenRequest shared = new Fabric.ListenRequest(request().address(), false, true, 1, 0);
        assertThat(engine.announce(shared).queue().isOffered()).as("with SO_REUSEPORT").isFalse();
        assertThat(engine.listen(shared, null).isOffered()).as("nor later").isFalse();
    }

    @Test
    void shouldWithdrawAnAnnouncementUnlessTcpListens() {
        Engine engine = engine("shm,tcp", "");
        AcceptQueue withdrawn;
        try (Announcement announced = engine.announce(request())) {
            withdrawn = announced.queue();
        }
        assertThat(withdrawn.isClosed()).isTrue();
        AcceptQueue kept;
        try (Announcement announced = engine.announce(request())) {
            kept = engine.listen(request(), announced);
        }
        assertThat(kept.isClosed()).isFalse();
        Fabric.ListenRequest shared = new Fabric.ListenRequest(request().address(), false, true, 1, 0);
        try (Announcement announced = engine.announce(shared)) {
            kept = engine.listen(shared, announced);
        }
        assertThat(kept.isClosed()).as("with SO_REUSEPORT").isFalse();
    }

    @Test
    @Timeout(20)
    void shouldWaitUntilClientsThatLookedBeforeHaveHadACoreButNotForEver() {
        shm.announces = true;
        Announcement announced = new Announcement(new AcceptQueue(1, new SpinPolicy(0, 1)));
        announced.announce(shm, request());
        AtomicInteger asked = new AtomicInteger();
        announced.awaitEarlyConnects(() -> asked.incrementAndGet() == 3);
        assertThat(asked).hasValue(3);
        announced.awaitEarlyConnects(() -> asked.incrementAndGet() < 0);
        assertThat(asked).hasValueBetween(5, 12);
    }

    @Test
    void shouldOfferAListenerOnceTcpListensWhereThatWasNotPossibleBefore() {
        Engine engine = engine("shm,tcp", "");
        Announcement announced = engine.announce(request());
        assertThat(announced.queue().isOffered()).isFalse();
        assertThat(engine.listen(request(), announced).isOffered()).isTrue();
        assertThat(shm.listened).isOne();
    }

    @Test
    void shouldNotTakeALinkFromAClientThatMayNotUseIt() throws Exception {
        AcceptQueue queue = engine("shm,tcp", "accept 10.0.0.0/8 80 deny shm").listen(request(), null);
        InetSocketAddress denied = new InetSocketAddress(InetAddress.getByName("10.0.0.1"), 1);
        InetSocketAddress allowed = new InetSocketAddress(InetAddress.getByName("11.0.0.1"), 1);
        assertThat(queue.offer(new FakeLink("shm", denied))).isFalse();
        assertThat(queue.offer(new FakeLink("shm", allowed))).isTrue();
    }

    @Test
    void shouldTellLaterAndOnceForEachPeerWhyNobodyOffersAPath() throws Exception {
        Engine engine = engine("shm,tcp", "");
        shm.why = new PathException(Reason.OTHER_DIRECTORY, "it meets elsewhere");
        InetSocketAddress second = new InetSocketAddress(PEER.getAddress(), 81);
        assertRoute(connect(engine), null, Reason.NOT_OFFERED);
        assertRoute(connect(engine, second), null, Reason.NOT_OFFERED);
        Eventually.until("both are known", () -> connect(engine).reason() == Reason.OTHER_DIRECTORY
                && connect(engine, second).reason() == Reason.OTHER_DIRECTORY);
        assertThat(log.lines()).filteredOn(line -> line.startsWith("WARNING")).hasSize(2)
                .allSatisfy(line -> assertThat(line).contains(" do not go by shm: it meets elsewhere. Reason 32 "));
        assertThat(shm.askedWhy).as("once for each, however often it is connected to").hasValue(2);
        shm.knowsNobody = true;
        assertThat(engine.knownTcp(PEER)).isEqualTo(Reason.OTHER_DIRECTORY);
    }

    /** As with a client that waits for its server: what it has learned in vain keeps no reason from the log. */
    @Test
    void shouldTellWhyAlsoWhereNobodyWasKnownToBeBefore() throws Exception {
        FakeFabric rdma = new FakeFabric("rdma"); // says by itself why, and is not to hide that nobody has looked
        rdma.knowsNobody = true;
        rdma.passedOver = Reason.NOT_OFFERED;
        Engine engine = FakeFabric.engine("shm,rdma,tcp", "", shm, rdma);
        shm.knowsNobody = true;
        shm.why = new PathException(Reason.OTHER_USER, "another one listens");
        assertThat(engine.knownTcp(PEER)).isNull();
        connect(engine);
        Eventually.until("it is told",
                () -> log.lines().stream().anyMatch(line -> line.contains("another one listens")));
        assertThat(engine.knownTcp(PEER)).as("by rdma").isEqualTo(Reason.NOT_OFFERED);
    }

    /** One thread looks, in the order in which it was asked. */
    @Test
    void shouldNotLookAtPeersThatTcpRefuses() throws Exception {
        Engine engine = engine("shm,tcp", "");
        shm.why = new PathException(Reason.OTHER_NAMESPACE, "it listens elsewhere");
        engine.connect(new InetSocketAddress(PEER.getAddress(), 81), null, Long.MAX_VALUE);
        connect(engine);
        Eventually.until("the other one is known", () -> connect(engine).reason() == Reason.OTHER_NAMESPACE);
        assertThat(shm.askedWhy).hasValue(1);
    }

    @Test
    void shouldSayNothingOfPeersThatCannotHaveUs() throws Exception {
        Engine engine = engine("shm,tcp", "");
        shm.why = new PathException(Reason.STRANGER, "a database");
        connect(engine);
        Eventually.until("it is known", () -> connect(engine).reason() == Reason.STRANGER);
        assertThat(log.lines()).noneMatch(line -> line.contains("database"));
    }

    @Test
    void shouldNameOnlyThePathsThatAreThere() throws Exception {
        connect(engine("rdma,shm,tcp", ""));
        assertThat(log.lines().get(0)).startsWith("INFO rsockets4j")
                .endsWith(" serves this program's sockets: paths=shm,tcp");
    }

    @Test
    void shouldTellWhatServesWhoeverAsks() {
        assertThat(engine("rdma,shm,tcp", "").served()).startsWith("rsockets4j").endsWith(", paths=shm,tcp");
        assertThat(engine("shm,tcp", "connect * 80 deny shm").served()).endsWith(", paths=shm,tcp, rules: 1");
        assertThat(engine("rdma", "").served()).endsWith(", paths=none");
    }

    @Test
    void shouldWarnThatItServesNobody() {
        assertThatThrownBy(() -> connect(engine("rdma", ""))).isInstanceOf(ConnectException.class);
        assertThat(log.lines().get(0)).startsWith("WARNING rsockets4j serves nobody: none of paths=rdma is available");
    }

    @Test
    void shouldWarnOnceOfClientsThatAreTurnedAway() {
        Engine engine = engine("shm", "");
        assertThat(engine.acceptsTcp(PEER, PEER)).isFalse();
        assertThat(log.lines()).as("after the first").hasSize(1);
        assertThat(engine.acceptsTcp(PEER, PEER)).isFalse();
        engine.turnedAway(PEER);
        assertThat(log.lines()).hasSize(1);
        assertThat(log.lines().get(0)).startsWith("WARNING rsockets4j: turned a client away at " + PEER);
    }

    private Engine engine(String paths, String rule) {
        return FakeFabric.engine(paths, rule, shm);
    }

    /** Connects; by TCP too, where it comes to that. */
    private static Route connect(Engine engine) throws IOException {
        return connect(engine, PEER);
    }

    private static Route connect(Engine engine, InetSocketAddress peer) throws IOException {
        Route route = engine.connect(peer, null, Long.MAX_VALUE);
        if (route.fallback() != null) {
            route.fallback().run();
        }
        return route;
    }

    private static void assertRoute(Route route, Link link, Reason reason) {
        assertThat(route.link()).isSameAs(link);
        assertThat(route.reason()).isEqualTo(reason);
    }

    private static Fabric.ListenRequest request() {
        return new Fabric.ListenRequest(PEER, false, false, 10, 0);
    }
}
