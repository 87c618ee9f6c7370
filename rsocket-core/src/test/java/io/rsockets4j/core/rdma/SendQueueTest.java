/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.direct.Advert;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is posted, and what has to stay due, when the peer's receives or this side's slots run out. */
@Timeout(10)
class SendQueueTest {
    private static final int RING_BYTES = 4096;
    private static final int RESERVED = SendQueue.RESERVED_RECEIVES;
    private static final long TAG = WorkRequestIds.tag(0, 1);
    private static final RemoteRing RING = new RemoteRing(0x10000, RING_BYTES, 2);
    private static final RemoteRing LARGE_RING = new RemoteRing(0x40000, 256 << 10, 2);
    private static final int CHUNK_BYTES = 32 << 10; // of which a stream's turn is, in such a ring
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 1);

    private final CountingQueuePair queuePair = new CountingQueuePair();
    private final Stalls stalls = new Stalls(() -> { });
    private MessageBuffers buffers;
    private ReceiveQueue receives;
    private SendQueue sends;
    private RdmaConnection connection;
    private SendSide sender;
    private boolean immediate = true; // whether writes carry immediate data

    @BeforeEach
    void create() throws VerbsException {
        buffers = new MessageBuffers(ByteBuffer.allocateDirect(MessageBuffers.BYTES), 0x1000, 1);
        queuePair.messages(buffers);
        receives = new ReceiveQueue(queuePair, buffers, TAG);
        sends = new SendQueue(new SendQueue.Outlet(queuePair, buffers, TAG, receives, stalls));
        connection = connection(0);
        sender = connection.out();
    }

    private RdmaConnection connection(int number) {
        return connection(number, RING);
    }

    private RdmaConnection connection(int number, RemoteRing ring) {
        RdmaConnection made = new RdmaConnection(null, number, slot(ring.bytes()), ring.bytes(), sends);
        made.begin(ring);
        return made;
    }

    private static RingSlot slot(int bytes) {
        RingSlot slot = new RingSlot(0, ByteBuffer.allocateDirect(bytes), ByteBuffer.allocateDirect(bytes));
        slot.register(RING, 0x100_000, 1);
        return slot;
    }

    private void begin(int peerReceives) throws VerbsException {
        sends.begin(hello(peerReceives), immediate);
    }

    /** The peer's device has acknowledged all up to so many writes of data, and so many other work requests. */
    private void arrived(int writes, int others) throws VerbsException {
        sends.completed((immediate ? 1 : 2) * writes + others); // a message follows each write that tells nothing
    }

    private static Hello hello(int receives) {
        return new Hello(1, true, true, true, false, RING, receives, 0, ADDRESS, ADDRESS);
    }

    /** Each byte on its own, as by a program that writes single bytes. */
    private void accept(int bytes) throws VerbsException {
        accept(sender, bytes);
    }

    private static void accept(SendSide by, int bytes) throws VerbsException {
        for (int i = 0; i < bytes; i++) {
            by.write(ByteBuffer.allocate(1));
        }
    }

    /** A program writes while another link takes over. */
    @Test
    void shouldKeepWhatIsAcceptedWhileItResumes() throws Exception {
        begin(8);
        SendSide writer = connection(1, LARGE_RING).out();
        Resume nothing = new Resume(1, false, false, false, 0, 0, LARGE_RING.key(), 0);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Boolean> resumed = Traffic.start("resumer", () -> {
            boolean goesOn = true;
            while (!over.get()) {
                goesOn &= sends.holds(() -> resume(writer, nothing));
            }
            return goesOn;
        });
        ByteBuffer one = ByteBuffer.allocate(1);
        for (int i = 1; i <= LARGE_RING.bytes(); i++) {
            writer.write(one.clear());
            assertThat(writer.tail()).as("bytes accepted").isEqualTo(i);
        }
        over.set(true);
        assertThat(resumed.get(5, TimeUnit.SECONDS)).isTrue();
    }

    /** The peer tells of buffers while a program lends memory for those before. */
    @Test
    void shouldHoldBuffersWhileItLends() throws Exception {
        int rounds = 20_000; // or what two seconds allow: on a busy machine the two threads take long turns
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        int receivesOfPeer = 1000;
        begin(receivesOfPeer);
        AtomicInteger unused = new AtomicInteger();
        CompletableFuture<Integer> peer = Traffic.start("peer", () -> {
            int told = 0;
            for (; told < rounds && System.nanoTime() - end < 0; told++) {
                while (unused.get() == 8) {
                    Thread.onSpinWait();
                }
                unused.incrementAndGet();
                sender.advertisedByPeer(0, new Advert(0, 4096, 10, 7, false));
            }
            return told;
        });
        MemoryRegion memory = new MemoryRegion(8192, 10, 1, 0);
        int lent = 0;
        while (!peer.isDone() || unused.get() > 0 && !peer.isCompletedExceptionally()) {
            if (sender.lend(memory, memory.address(), (int) memory.length()) == null) {
                Thread.onSpinWait();
                continue;
            }
            unused.decrementAndGet();
            sender.postLent();
            lent++;
            sends.completed(lent);
            sends.granted(receivesOfPeer + lent);
            assertThat(sends.nextAcknowledged()).isSameAs(connection);
        }
        assertThat(peer.get(5, TimeUnit.SECONDS)).isEqualTo(lent).isPositive();
        assertThat(sender.direct()).isEqualTo(10L * lent);
    }

    private static boolean resume(SendSide sender, Resume told) {
        try {
            return sender.resume(told);
        } catch (ProtocolException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldLeaveReceivesForCreditWhenDataHasUsedItsShare() throws Exception {
        begin(8);
        accept(10);
        assertThat(queuePair.writes()).as("DATA with 8 receives, 4 of them reserved").isEqualTo(4);
        for (int i = 0; i < 10; i++) {
            sender.state(0);
        }
        assertThat(queuePair.sends()).as("STATE, but for the last receive").isEqualTo(3);
    }

    @Test
    void shouldUseTheLastReceiveOnlyToGrantHalfAQueue() throws Exception {
        begin(8);
        accept(4);
        for (int i = 0; i < 4; i++) {
            sender.state(0);
        }
        assertThat(queuePair.sends()).isEqualTo(3);
        for (int i = 0; i < QueueSizes.RECEIVES; i++) {
            receives.postSoon(i);
        }
        receives.postDeferred();
        sends.receivePosted();
        assertThat(queuePair.sends()).as("the grant that lets the peer go on").isEqualTo(4);
    }

    @Test
    void shouldGoOnWhenThePeerGrantsReceives() throws Exception {
        begin(8);
        accept(10);
        sends.granted(9);
        assertThat(queuePair.writes()).as("what was due goes in one piece").isEqualTo(5);
        assertThat(queuePair.bytes()).isEqualTo(10);
    }

    /** As a program that answers each message: its answers carry all the credit that there is to give. */
    @Test
    void shouldGrantReceivesWithData() throws Exception {
        sends.hello(hello(QueueSizes.RECEIVES));
        begin(1000);
        for (int i = 0; i < 300; i++) {
            receives.postSoon(i % QueueSizes.RECEIVES);
            receives.postDeferred();
            sends.receivePosted();
            accept(1);
            sends.completed(i + 2);
            sender.readByPeer(i + 1);
            long left = QueueSizes.RECEIVES + i + 1 - queuePair.granted();
            assertThat(left).as("receives posted, but not granted").isBetween(0L, DataImmediate.CREDIT_UNIT - 1L);
        }
        assertThat(queuePair.sends()).as("HELLO, and never a STATE").isEqualTo(1);
    }

    @Test
    void shouldGoOnWhenDataGrantsReceives() throws Exception {
        begin(20);
        accept(30);
        assertThat(queuePair.writes()).as("with 20 receives").isEqualTo(16);
        sends.grantedWithData(DataImmediate.credit(DataImmediate.of(1, 20)));
        assertThat(queuePair.writes()).as("with no more than that").isEqualTo(16);
        sends.grantedWithData(DataImmediate.credit(DataImmediate.of(1, 36)));
        assertThat(queuePair.bytes()).as("with 32").isEqualTo(30);
    }

    @Test
    void shouldKeepSlotsForMessagesWhenTheSendQueueIsFull() throws Exception {
        begin(1000);
        accept(400);
        assertThat(queuePair.writes()).as("DATA, but for 4 slots").isEqualTo(QueueSizes.SENDS - 4);
        for (int i = 0; i < 10; i++) {
            connection(i + 1).out().state(0);
        }
        assertThat(queuePair.posted()).as("every slot").isEqualTo(QueueSizes.SENDS);
        sends.completed(QueueSizes.SENDS / 2);
        assertThat(queuePair.bytes()).as("what was due goes when slots are free").isEqualTo(400);
    }

    /** A connection that has much to send waits for its turn like all others. */
    @Test
    void shouldLetConnectionsTakeTurns() throws Exception {
        SendSide streams = connection(1).out();
        SendSide asks = connection(2).out();
        begin(RESERVED);
        streams.write(ByteBuffer.allocate(RING_BYTES));
        asks.write(ByteBuffer.allocate(1));
        accept(1);
        assertThat(queuePair.turns()).as("without a receive").isEmpty();
        sends.begin(hello(1000), true);
        assertThat(queuePair.turns()).containsExactly(1, 2, 0, 1);
    }

    /** A connection that streams, and another one that has sent a byte since. */
    private SendSide streamBesideShortMessages() throws VerbsException {
        SendSide streams = connection(1, LARGE_RING).out();
        begin(1000);
        streams.write(ByteBuffer.allocate(CHUNK_BYTES));
        accept(1);
        return streams;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHoldAStreamBesideShortMessagesUntilItsBytesAreAcknowledged(boolean withImmediate) throws Exception {
        immediate = withImmediate;
        SendSide streams = streamBesideShortMessages();
        assertThat(isStalled()).isFalse();
        streams.write(ByteBuffer.allocate(4 * CHUNK_BYTES));
        assertThat(queuePair.turns()).as("64 KiB are under way").containsExactly(1, 0, 1);
        assertThat(isStalled()).as("somebody looks when they are acknowledged").isTrue();
        accept(1);
        assertThat(queuePair.turns()).as("who has little to send").containsExactly(1, 0, 1, 0);
        arrived(1, 0);
        assertThat(queuePair.turns()).containsExactly(1, 0, 1, 0, 1);
        arrived(5, 0);
        assertThat(queuePair.turns()).containsExactly(1, 0, 1, 0, 1, 1, 1);
        assertThat(queuePair.bytes()).as("all").isEqualTo(5 * CHUNK_BYTES + 2);
        assertThat(queuePair.signaled()).as("each write of the stream from then on").isEqualTo(4);
        assertThat(isStalled()).isFalse();
    }

    /** Most writes of a stream that is alone tell nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAskWhenAllHasArrivedWhereNothingElseTells(boolean withImmediate) throws Exception {
        immediate = withImmediate;
        SendSide streams = connection(1, LARGE_RING).out();
        begin(1000);
        streams.write(ByteBuffer.allocate(4 * CHUNK_BYTES));
        accept(1);
        assertThat(queuePair.probes()).isZero();
        streams.write(ByteBuffer.allocate(2 * CHUNK_BYTES));
        assertThat(queuePair.bytes()).as("of the stream and the message").isEqualTo(4 * CHUNK_BYTES + 1);
        assertThat(queuePair.probes()).isEqualTo(1);
        arrived(5, 1);
        assertThat(queuePair.bytes()).isEqualTo(6 * CHUNK_BYTES + 1);
        assertThat(queuePair.probes()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHoldNoStreamsThatAreAlone(boolean withImmediate) throws Exception {
        immediate = withImmediate;
        SendSide streams = connection(1, LARGE_RING).out();
        SendSide other = connection(2, LARGE_RING).out();
        begin(1000);
        int begun = 2 * CHUNK_BYTES + 1; // the last turn of it is short
        streams.write(ByteBuffer.allocate(begun));
        other.write(ByteBuffer.allocate(begun));
        streams.write(ByteBuffer.allocate(LARGE_RING.bytes() - begun));
        other.write(ByteBuffer.allocate(LARGE_RING.bytes() - begun));
        assertThat(queuePair.bytes()).isEqualTo(2 * LARGE_RING.bytes());
    }

    /** As a program that asks, and then sends what it was asked for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotHoldAStreamForItsOwnShortMessages(boolean withImmediate) throws Exception {
        immediate = withImmediate;
        SendSide streams = connection(1, LARGE_RING).out();
        begin(1000);
        accept(1);
        streams.write(ByteBuffer.allocate(1));
        streams.write(ByteBuffer.allocate(LARGE_RING.bytes() - 1));
        assertThat(queuePair.bytes()).isEqualTo(LARGE_RING.bytes() + 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHoldNoStreamOnceNobodySendsShortMessagesAnyMore(boolean withImmediate) throws Exception {
        immediate = withImmediate;
        SendSide streams = streamBesideShortMessages();
        for (int i = 0; i < DataLine.TURNS_WITHOUT_SHORT; i++) {
            streams.write(ByteBuffer.allocate(CHUNK_BYTES));
            arrived(i + 3, 0);
            streams.readByPeer((long) (i + 2) * CHUNK_BYTES);
        }
        int before = queuePair.bytes();
        streams.write(ByteBuffer.allocate(LARGE_RING.bytes()));
        assertThat(queuePair.bytes() - before).isEqualTo(LARGE_RING.bytes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDropAStreamThatIsResetWhileItIsHeld(boolean withImmediate) throws Exception {
        immediate = withImmediate;
        SendSide streams = streamBesideShortMessages();
        streams.write(ByteBuffer.allocate(4 * CHUNK_BYTES));
        streams.state(MessageDescriptor.RESET);
        assertThat(queuePair.sends()).as("RESET does not wait").isEqualTo(1);
        arrived(3, 1);
        assertThat(queuePair.bytes()).isEqualTo(2 * CHUNK_BYTES + 1);
        assertThat(sends.isQuiet()).isTrue();
    }

    /** A peer that asks again and again, and grants no receive, must not fill this process' memory. */
    @Test
    void shouldOfferOneRingHoweverOftenItIsAskedFor() throws Exception {
        begin(1);
        for (int i = 0; i < 10; i++) {
            sender.offer(RING);
        }
        assertThat(queuePair.sends()).isZero();
        sends.begin(hello(1000), true);
        assertThat(queuePair.sends()).isEqualTo(1);
    }

    @Test
    void shouldAskNoPeerThatKnowsOfNoLargerRings() throws Exception {
        RdmaConnection small = new RdmaConnection(null, 1, slot(RING_BYTES), 4 * RING_BYTES, sends);
        small.begin(RING);
        sends.begin(new Hello(1, true, true, false, false, RING, 1000, 0, ADDRESS, ADDRESS), true);
        assertThat(small.out().write(ByteBuffer.allocate(2 * RING_BYTES))).isEqualTo(RING_BYTES);
        assertThat(small.out().write(ByteBuffer.allocate(1))).isZero();
        assertThat(queuePair.sends()).isZero();
    }

    /** What goes to the ring before, the move, what goes to the larger one, and then the end of the stream. */
    @Test
    void shouldKeepTheOrderOfAMove() throws Exception {
        RdmaConnection grows = new RdmaConnection(null, 1, slot(RING_BYTES), 4 * RING_BYTES, sends);
        grows.begin(RING);
        grows.setLarger(slot(4 * RING_BYTES));
        SendSide out = grows.out();
        begin(RESERVED + 2);
        assertThat(out.write(ByteBuffer.allocate(RING_BYTES + 1))).isEqualTo(RING_BYTES);
        assertThat(queuePair.writes()).as("half of the ring at a time").isEqualTo(1);
        assertThat(queuePair.sends()).as("MORE").isEqualTo(1);
        out.offered(new RemoteRing(0x20000, 4 * RING_BYTES, 3));
        assertThat(out.isWritable()).isTrue();
        assertThat(out.write(ByteBuffer.allocate(RING_BYTES))).isEqualTo(RING_BYTES);
        out.state(MessageDescriptor.FINISHED | MessageDescriptor.CLOSED);
        assertThat(queuePair.writes()).as("the other half waits for receives").isEqualTo(1);
        assertThat(queuePair.sends()).as("so does MOVE").isEqualTo(1);
        sends.begin(hello(1000), true);
        assertThat(queuePair.bytes()).isEqualTo(2 * RING_BYTES);
        int move = 3 * MessageDescriptor.MESSAGE_BYTES; // after MORE and two writes
        assertThat(buffers.sent().get(move)).isEqualTo(MessageDescriptor.MOVE);
        assertThat(buffers.sent().getLong(move + MessageDescriptor.MOVE_FROM)).isEqualTo(RING_BYTES);
        assertThat(grows.out().isLastPosted()).isTrue();
    }

    @Test
    void shouldSayThatTheStreamEndsOnceItsLastByteIsPosted() throws Exception {
        begin(RESERVED);
        accept(1);
        sender.state(MessageDescriptor.FINISHED);
        assertThat(queuePair.posted()).as("neither data nor its end").isZero();
        sends.begin(hello(1000), true);
        assertThat(queuePair.writes()).isEqualTo(1);
        assertThat(queuePair.sends()).isEqualTo(1);
    }

    /** The peer may use the number again once it has had CLOSED: nothing may go after it. */
    @Test
    void shouldSayThatItHasClosedAfterAllElse() throws Exception {
        begin(1);
        sender.state(0); // waits for a receive, as does the byte
        accept(1);
        sender.state(MessageDescriptor.FINISHED | MessageDescriptor.CLOSED);
        sends.begin(hello(RESERVED), true);
        assertThat(queuePair.sends()).as("what was read").isEqualTo(1);
        assertThat(flags(0)).isZero();
        assertThat(sender.isLastPosted()).isFalse();
        sends.begin(hello(1000), true);
        assertThat(queuePair.writes()).isEqualTo(1);
        assertThat(flags(2)).isEqualTo(MessageDescriptor.FINISHED | MessageDescriptor.CLOSED);
        sender.state(0);
        assertThat(queuePair.sends()).as("nothing after the last message").isEqualTo(2);
    }

    private int flags(int slot) {
        return buffers.sent().get(slot * MessageDescriptor.MESSAGE_BYTES + MessageDescriptor.STATE_FLAGS);
    }

    /** Whether the last of two looks finds a stall: the first one sees those that began before. */
    private boolean isStalled() {
        stalls.mayPollSeldom();
        return !stalls.mayPollSeldom();
    }

    @Test
    void shouldStallUntilThePeersHelloHasCome() throws Exception {
        assertThat(isStalled()).isTrue();
        begin(8);
        assertThat(isStalled()).isFalse();
    }

    @Test
    void shouldStallUntilAllIsPosted() throws Exception {
        begin(8);
        accept(4);
        assertThat(isStalled()).as("all posted").isFalse();
        accept(1);
        assertThat(isStalled()).as("a byte without a receive").isTrue();
        sends.granted(9);
        assertThat(isStalled()).as("posted").isFalse();
        for (int i = 0; i < 4; i++) {
            sender.state(0);
        }
        assertThat(isStalled()).as("a STATE without a receive").isTrue();
        sends.granted(13);
        assertThat(isStalled()).as("sent").isFalse();
    }

    @Test
    void shouldStallNoMoreOnceClosed() throws Exception {
        begin(8);
        assertThat(isStalled()).isFalse();
        accept(5);
        assertThat(isStalled()).isTrue();
        sends.close();
        assertThat(isStalled()).isFalse();
    }

    @Test
    void shouldNotStallForBytesThatAreNotSentAnyMore() throws Exception {
        begin(8);
        assertThat(isStalled()).isFalse();
        accept(5);
        sender.state(MessageDescriptor.RESET);
        assertThat(isStalled()).isFalse();
    }
}
