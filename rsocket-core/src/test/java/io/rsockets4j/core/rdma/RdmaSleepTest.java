/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who sleeps is woken: one thread in front of the completion thread by the event itself, all others by a ring. */
@Timeout(60)
class RdmaSleepTest {
    private static final int ROUND_TRIPS = 500;
    private static final int PAIRS = 8;
    private static final long DELAY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final RdmaNetwork network = new RdmaNetwork("ring.bytes=8192");

    @BeforeEach
    void giveWhoWaitsTimeToSleep() {
        network.network.delay(1, DELAY_NANOS / 2, DELAY_NANOS);
    }

    @AfterEach
    void assertNoViolations() {
        network.close();
        assertThat(network.network.violations()).isEmpty();
    }

    @Test
    void shouldWakeWhoSleepsAloneWithoutAnotherThread() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Void> echo = Traffic.start("echo", () -> echo(links.far()));
        for (int i = 0; i < ROUND_TRIPS; i++) {
            askAsleep(links.near(), i);
        }
        assertThat(network.near.eventsInFront()).isGreaterThan(ROUND_TRIPS / 2);
        assertThat(network.near.eventsBehind()).isLessThan(ROUND_TRIPS / 4);
        links.near().close(false);
        echo.get(20, TimeUnit.SECONDS);
    }

    @Test
    void shouldWakeWhoConnectsAloneWithoutAnotherThread() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        network.connect(listening.address()); // makes the session
        int inFront = network.near.eventsInFront();
        int behind = network.near.eventsBehind();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            network.connect(listening.address());
        }
        assertThat(network.near.eventsInFront() - inFront).isGreaterThan(ROUND_TRIPS / 2);
        assertThat(network.near.eventsBehind() - behind).isLessThan(ROUND_TRIPS / 2);
    }

    /** The status is kept, and the connect goes on. */
    @Test
    void shouldConnectThoughInterrupted() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        network.connect(listening.address());
        assertThat(Traffic.start("interrupted", () -> {
            Thread.currentThread().interrupt();
            network.connect(listening.address());
            return Thread.interrupted();
        }).get(20, TimeUnit.SECONDS)).isTrue();
    }

    /** No event tells of that. */
    @Test
    void shouldWakeWhoConnectsWhenTheAnswerIsKnownOtherwise() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaSession session = network.connect(listening.address()).connection().session();
        RdmaConnection asking = session.open(8192);
        RdmaContext context = new RdmaContext(Settings.from(new Properties()), new SpinPolicy(0, 2),
                network.cm(network.near), 0, 0, Long.MAX_VALUE, List::of);
        CompletableFuture<RdmaConnection> answer = Traffic.start("connecting", () -> {
            context.await(asking, asking.opened(), Long.MAX_VALUE);
            return asking.opened().valueNow();
        });
        Eventually.asleepIn(thread("connecting"), "awaitInFront");
        asking.opened().complete(asking);
        assertThat(answer.get(20, TimeUnit.SECONDS)).isSameAs(asking);
    }

    /** What the thread has looked for before it sleeps must not pass for a thread that goes on to look. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeToldOfConnectsByEventsWhileWhoAcceptsSleeps(boolean late) throws Exception {
        RdmaNetwork.Listening listening = late ? listenLate() : network.listen();
        network.connect(listening.address());
        int before = network.far.eventsBehind();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            listening.accept();
            assertThat(listening.queue().poll()).isNull();
            listening.queue().arm();
            network.connect(listening.address());
        }
        assertThat(network.far.eventsBehind() - before).isGreaterThan(ROUND_TRIPS * 9 / 10);
    }

    /** Listens as where nobody has named the path. */
    private RdmaNetwork.Listening listenLate() throws IOException {
        InetSocketAddress address = RdmaNetwork.newAddress();
        AcceptQueue queue = new AcceptQueue(PAIRS, new SpinPolicy(0, 2), (path, client) -> true);
        LateOffer offer = new LateOffer();
        offer.begin(network.acceptor(), new Fabric.ListenRequest(address, false, false, PAIRS, 0), queue);
        queue.add(offer);
        return new RdmaNetwork.Listening(address, queue);
    }

    @Test
    void shouldWakeEveryoneWhoeverIsInFront() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        List<CompletableFuture<Void>> pairs = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            RdmaLink near = network.connect(listening.address());
            RdmaLink far = listening.accept();
            pairs.add(Traffic.start("echo", () -> echo(far)));
            pairs.add(Traffic.start("asker", () -> {
                for (int trip = 0; trip < ROUND_TRIPS; trip++) {
                    askAsleep(near, trip);
                }
                near.close(false);
                return null;
            }));
        }
        for (CompletableFuture<Void> pair : pairs) {
            pair.get(50, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldWakeOthersWhileOneSleepsInFront() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink quiet = network.connect(listening.address());
        RdmaLink quietFar = listening.accept();
        RdmaLink busy = network.connect(listening.address());
        RdmaLink busyFar = listening.accept();
        CompletableFuture<Integer> first = Traffic.start("in front", () -> Streams.readByte(quiet));
        CompletableFuture<Void> echo = Traffic.start("echo", () -> echo(busyFar));
        for (int i = 0; i < ROUND_TRIPS; i++) {
            askAsleep(busy, i);
        }
        assertThat(first).isNotDone();
        Streams.writeByte(quietFar, 7);
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(7);
        busy.close(false);
        echo.get(20, TimeUnit.SECONDS);
    }

    @Test
    void shouldWakeOthersOnceWhoWasInFrontHasGone() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink one = network.connect(listening.address());
        RdmaLink oneFar = listening.accept();
        RdmaLink other = network.connect(listening.address());
        RdmaLink otherFar = listening.accept();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<Integer> ahead = Traffic.start("in front " + i, () -> Streams.readByte(one));
            Eventually.asleepIn(thread("in front " + i), "awaitInFront");
            CompletableFuture<Integer> behind = Traffic.start("behind", () -> Streams.readByte(other));
            Streams.writeByte(oneFar, i);
            assertThat(ahead.get(20, TimeUnit.SECONDS)).isEqualTo(i);
            Streams.writeByte(otherFar, i + 1);
            assertThat(behind.get(20, TimeUnit.SECONDS)).isEqualTo(i + 1);
        }
    }

    @Test
    void shouldBeWokenByTheEventAlsoAfterOneForOthers() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink quiet = network.connect(listening.address());
        RdmaLink quietFar = listening.accept();
        RdmaLink other = network.connect(listening.address());
        RdmaLink otherFar = listening.accept();
        int rounds = 50;
        for (int i = 0; i < rounds; i++) {
            CompletableFuture<Integer> first = Traffic.start("in front " + i, () -> Streams.readByte(quiet));
            Thread inFront = thread("in front " + i);
            Eventually.asleepIn(inFront, "awaitInFront");
            Streams.writeByte(otherFar, i); // nobody waits for it
            Eventually.until("the byte has come", () -> other.isKnownReady(OP_READ));
            Eventually.asleepIn(inFront, "awaitInFront");
            Streams.writeByte(quietFar, i);
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(i);
            assertThat(Streams.readByte(other)).isEqualTo(i);
        }
        assertThat(network.near.eventsInFront()).as("not by looks now and then").isGreaterThan(rounds * 3 / 2);
    }

    @Test
    void shouldWakeWhoSleepsInFrontByClose() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Boolean> ready = Traffic.start("in front", () -> links.near().await(OP_READ, Long.MAX_VALUE));
        Eventually.asleepIn(thread("in front"), "awaitInFront");
        links.near().beginClose(); // which tells the peer nothing, so that no event comes
        assertThat(ready.get(20, TimeUnit.SECONDS)).as("ready to read").isFalse();
    }

    /** The caller has whom it interrupts woken, as a channel does. */
    @Test
    void shouldWakeWhoSleepsInFrontByAnInterrupt() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Boolean> interrupted = Traffic.start("in front", () -> {
            links.near().await(OP_READ, Long.MAX_VALUE);
            return Thread.currentThread().isInterrupted();
        });
        Thread inFront = thread("in front");
        Eventually.asleepIn(inFront, "awaitInFront");
        inFront.interrupt();
        links.near().wake();
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).as("the status is kept").isTrue();
        assertIsFree(links);
    }

    @Test
    void shouldEndASleepInFrontAtItsDeadline() throws Exception {
        RdmaNetwork.Links links = network.links();
        long nanos = TimeUnit.SECONDS.toNanos(2);
        long started = System.nanoTime();
        CompletableFuture<Boolean> ready = Traffic.start("in front", () -> {
            boolean isReady = false;
            while (!isReady && System.nanoTime() - started < nanos) { // it may return for no reason
                isReady = links.near().await(OP_READ, started + nanos);
            }
            return isReady;
        });
        Eventually.asleepIn(thread("in front"), "awaitInFront");
        assertThat(ready.get(20, TimeUnit.SECONDS)).as("ready to read").isFalse();
        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(nanos);
        assertIsFree(links);
    }

    @Test
    void shouldWakeWhoSleepsInFrontWhenThePeersHostVanishes() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Integer> reading = startInFront(links.near());
        network.far.vanish(true);
        links.near().send(ByteBuffer.allocate(10)); // nobody acknowledges it
        assertThatThrownBy(() -> reading.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(SocketException.class)
                .hasMessageContaining("Connection timed out");
    }

    /** As when a process is killed: the kernel takes its queue pairs away, and tells the peer. */
    @Test
    void shouldWakeWhoSleepsInFrontWhenThePeersQueuePairsGo() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Integer> reading = startInFront(links.near());
        network.far.removeDevice();
        assertThat(reading.get(20, TimeUnit.SECONDS)).as("the end of the stream").isEqualTo(-1);
    }

    @Test
    void shouldWakeWhoSleepsInFrontWhenItsQueuePairFails() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Integer> reading = startInFront(links.near());
        network.near.removeDevice();
        assertThatThrownBy(() -> reading.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(SocketException.class)
                .hasMessageContaining("Connection reset");
    }

    private static CompletableFuture<Integer> startInFront(Link link) throws Exception {
        CompletableFuture<Integer> reading = Traffic.start("in front", () -> Streams.readByte(link));
        Eventually.asleepIn(thread("in front"), "awaitInFront");
        return reading;
    }

    /** The place in front is left: the next one that sleeps has it, and is woken there. */
    private static void assertIsFree(RdmaNetwork.Links links) throws Exception {
        CompletableFuture<Integer> next = Traffic.start("next", () -> Streams.readByte(links.near()));
        Eventually.asleepIn(thread("next"), "awaitInFront");
        Streams.writeByte(links.far(), 7);
        assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo(7);
    }

    private static Thread thread(String name) {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals(name)).findAny()
                .orElseThrow();
    }

    private static void askAsleep(Link link, int value) throws IOException {
        Streams.writeByte(link, value & 0x7F);
        assertThat(Streams.readByte(link)).isEqualTo(value & 0x7F);
    }

    private static Void echo(Link link) throws IOException {
        for (int value = Streams.readByte(link); value >= 0; value = Streams.readByte(link)) {
            Streams.writeByte(link, value);
        }
        link.close(false);
        return null;
    }
}
