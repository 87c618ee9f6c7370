/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.verbs.memory.MemoryQueuePair;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that alone sleeps on a connection waits for the completion event itself. */
@Timeout(60)
class LeadTest {
    private static final int STRESS = 5000;
    private static final int MANY = 50;
    private static final long SHORT_OF_A_SLEEPS_END_SECONDS = 4; // a leader comes back after five in any case

    private final RdmaNetwork network = new RdmaNetwork("ring.bytes=8192");

    @AfterEach
    void assertNoViolations() {
        network.close();
        assertThat(network.network.violations()).isEmpty();
    }

    @Test
    void shouldTakeTheEventItself() throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        reader.gets(links.far());
        assertThat(network.near.eventTaker().getName()).isEqualTo(Reader.NAME);
    }

    @Test
    void shouldNotTakeEventsWhereSeveralAreWokenByTurns() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink one = network.connect(listening.address());
        RdmaLink farOne = listening.accept();
        RdmaLink other = network.connect(listening.address());
        RdmaLink farOther = listening.accept();
        Reader reader = new Reader(one);
        Reader otherReader = new Reader(other);
        for (int i = 0; i < MANY; i++) {
            reader.gets(farOne);
            assertThat(leadOf(one).isTaken()).isFalse();
            otherReader.gets(farOther);
            assertThat(leadOf(one).isTaken()).isFalse();
        }
    }

    @Test
    void shouldServeWhoGoesToSleepLaterAndThenLeaveItToTheThread() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink one = network.connect(listening.address());
        RdmaLink farOne = listening.accept();
        RdmaLink other = network.connect(listening.address());
        RdmaLink farOther = listening.accept();
        Reader reader = new Reader(one);
        reader.leads(farOne);
        Reader otherReader = new Reader(other);
        Eventually.until("the other one sleeps",
                () -> leadOf(other).isTaken() && other.connection().poller().isNeeded());
        otherReader.gets(farOther);
        assertThat(network.near.eventTaker()).as("served by who leads").isSameAs(reader.thread);
        for (int i = 0; i < MANY; i++) {
            otherReader.gets(farOther);
            reader.gets(farOne);
        }
        assertThat(network.near.eventTaker().getName()).startsWith("rsockets4j-completions");
    }

    @Test
    void shouldLoseNoWakeUpBetweenALookAndASleep() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Void> far = Traffic.start("far", () -> answer(links.far()));
        CompletableFuture<Void> near = Traffic.start("near", () -> ask(links.near()));
        near.get(40, TimeUnit.SECONDS);
        far.get(40, TimeUnit.SECONDS);
    }

    private static Void ask(Link link) throws IOException {
        for (int i = 0; i < STRESS; i++) {
            Streams.writeByte(link, i);
            assertThat(Streams.readByte(link)).isEqualTo((byte) i);
        }
        return null;
    }

    private static Void answer(Link link) throws IOException {
        for (int i = 0; i < STRESS; i++) {
            Streams.writeByte(link, Streams.readByte(link));
        }
        return null;
    }

    @Test
    void shouldCarryStreamsOfSeveralThreadsOnOneChannel() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        CompletableFuture<?>[] all = new CompletableFuture<?>[6];
        for (int i = 0; i < all.length; i += 2) {
            RdmaLink near = network.connect(listening.address());
            RdmaLink far = listening.accept();
            all[i] = Traffic.start("near", () -> ask(near));
            all[i + 1] = Traffic.start("far", () -> answer(far));
        }
        CompletableFuture.allOf(all).get(50, TimeUnit.SECONDS);
    }

    @Test
    void shouldWakeWhenItsLinkCloses() throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        reader.stopped = true;
        links.near().beginClose();
        assertThat(reader.endsIn(SHORT_OF_A_SLEEPS_END_SECONDS)).isEqualTo(reader.written);
    }

    @Test
    void shouldWakeWhenThePeerCloses() throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        links.far().close(false);
        assertThat(reader.endsIn(SHORT_OF_A_SLEEPS_END_SECONDS)).isEqualTo(Link.EOF);
    }

    @Test
    void shouldWakeWhenThePeerIsLost() throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        MemoryQueuePair near = network.network.queuePairs().get(0);
        near.fail();
        assertThatThrownBy(() -> reader.endsIn(SHORT_OF_A_SLEEPS_END_SECONDS)).cause()
                .isInstanceOf(SocketException.class).hasMessage("Connection reset");
    }

    /** As the doors do it: who interrupts wakes the link. */
    @Test
    void shouldWakeWhenInterrupted() throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        reader.thread.interrupt();
        links.near().wake();
        assertThat(reader.endsIn(SHORT_OF_A_SLEEPS_END_SECONDS)).isEqualTo(reader.written);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 300})
    void shouldKeepItsTimeLimit(long millis) throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        reader.stopped = true;
        links.near().wake();
        reader.endsIn(SHORT_OF_A_SLEEPS_END_SECONDS);
        long start = System.nanoTime();
        assertThat(links.near().await(OP_READ, start + TimeUnit.MILLISECONDS.toNanos(millis))).isFalse();
        assertThat(System.nanoTime() - start).isBetween(TimeUnit.MILLISECONDS.toNanos(millis),
                TimeUnit.SECONDS.toNanos(SHORT_OF_A_SLEEPS_END_SECONDS));
    }

    @Test
    void shouldLoseNoEventByAnError() throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        network.near.loseEvent(new StackOverflowError("a test's"));
        Streams.writeByte(links.far(), 1);
        assertThatThrownBy(() -> reader.endsIn(SHORT_OF_A_SLEEPS_END_SECONDS)).cause()
                .isInstanceOf(StackOverflowError.class);
        assertThat(Streams.readByte(links.near())).isEqualTo(1);
        Reader next = new Reader(links.near());
        next.leads(links.far());
        next.gets(links.far());
        assertThat(network.near.eventTaker()).as("announced, rather than found by a look").isSameAs(next.thread);
    }

    @Test
    void shouldLoseNoEventByAnErrorOfTheThreadInBetween() throws Exception {
        RdmaNetwork.Links links = network.links();
        network.near.loseEvent(new OutOfMemoryError("a test's"));
        Reader reader = new Reader(links.near());
        for (int i = 0; i < MANY; i++) {
            reader.gets(links.far());
        }
    }

    @Test
    void shouldLeaveABrokenChannelToItsThread() throws Exception {
        RdmaNetwork.Links links = network.links();
        Reader reader = new Reader(links.near());
        reader.leads(links.far());
        network.near.failCompletions(new IOException("a test's"));
        assertThatThrownBy(() -> reader.endsIn(SHORT_OF_A_SLEEPS_END_SECONDS)).cause()
                .isInstanceOf(SocketException.class).hasMessage("Connection reset");
    }

    private static Lead leadOf(RdmaLink link) {
        return link.connection().poller().lead();
    }

    /** A thread that reads bytes to the end of the stream, or until it is stopped or interrupted. */
    private static final class Reader {
        private static final String NAME = "reader";

        private final RdmaLink link;
        private final AtomicInteger read = new AtomicInteger();
        private final CompletableFuture<Integer> end;
        private volatile Thread thread;
        private volatile boolean stopped;
        private int written;

        Reader(RdmaLink link) {
            this.link = link;
            end = Traffic.start(NAME, this::read);
        }

        private int read() throws IOException {
            thread = Thread.currentThread();
            ByteBuffer one = ByteBuffer.allocate(1);
            while (!stopped && !thread.isInterrupted()) {
                int count = link.receive(one.clear());
                if (count == Link.EOF) {
                    return count;
                }
                if (count == 0) {
                    link.await(OP_READ, Long.MAX_VALUE);
                }
                read.addAndGet(count);
            }
            return read.get();
        }

        /** The other end sends it a byte, which it reads. */
        void gets(Link far) throws Exception {
            Streams.writeByte(far, 1);
            written++;
            Eventually.until("byte " + written + " is read", () -> read.get() == written);
        }

        /** The other end sends it bytes until it leads. */
        void leads(Link far) throws Exception {
            Eventually.until("the reader leads", () -> {
                gets(far);
                return leadOf(link).isTaken();
            });
        }

        int endsIn(long seconds) throws Exception {
            return end.get(seconds, TimeUnit.SECONDS);
        }
    }
}
