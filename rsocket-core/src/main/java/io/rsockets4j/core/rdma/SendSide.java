/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.CLOSED;
import static io.rsockets4j.core.rdma.MessageDescriptor.FINISHED;
import static io.rsockets4j.core.rdma.MessageDescriptor.RESET;

import io.rsockets4j.core.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sending half of a connection: a registered mirror of the peer's ring, same size, same offsets, and what is due to
 * be sent. What the peer has read may be overwritten here. The sending direction writes; whoever polls for completions
 * sets the limit; the session's {@link SendQueue} posts when it is this connection's turn, under its lock.
 */
final class SendSide {
    /** Large writes are posted in pieces, so that copying, the network and the peer's copying overlap. */
    private static final int MIN_CHUNK_BYTES = 32 << 10;

    /** A turn is never longer than this. */
    private static final int MAX_CHUNK_BYTES = 64 << 10;

    /** Where there was no memory for a larger ring, it is asked for again after so many bytes. */
    private static final long ASK_AGAIN_BYTES = 1 << 20;

    /** A message that opens a connection, or is about its rings. */
    interface Opening {
        /** Writes the message at the start of a buffer that begins with zeros. Returns its length. */
        int encode(ByteBuffer out);
    }

    private final SendQueue queue;
    private final RdmaConnection connection;
    private final int maxBytes; // of the peer's ring

    /** A ring of the peer's and its mirror, for the bytes from a count on. */
    record Target(RemoteRing remote, RingSlot slot, int size, int chunkBytes, long from) {
        static Target of(RemoteRing remote, RingSlot slot, int size, long from) {
            int piece = Math.max(MIN_CHUNK_BYTES, size / 32);
            return new Target(remote, slot, size, Math.min(size / 2, Math.min(piece, MAX_CHUNK_BYTES)), from);
        }
    }

    private final AtomicLong tail = new AtomicLong(); // bytes accepted; written by the sending direction
    private volatile ReceiveSide in; // null until the connection may be used
    private volatile Target target; // of bytes to come; written under lock, by the sending direction
    private volatile long readByPeer; // written by whoever polls
    private volatile RemoteRing larger; // that the peer offers; written by whoever polls
    private volatile boolean asked; // for a larger ring; written by the sending direction
    private long written; // the sending direction's, as the next one
    private long askAt; // not before so many bytes

    // guarded by the queue's lock
    private final ArrayDeque<Opening> openings = new ArrayDeque<>(2); // that are due
    private Target posting; // of the bytes that are posted next
    private long postedTail; // bytes of the stream
    private int flags;
    private boolean stateDue;
    private boolean refused;
    private boolean waitsForData; // in the queue, for a turn
    private boolean waitsForMessage; // in the queue, for a turn
    private long finalCount = Long.MAX_VALUE; // the queue's count after this connection's last message

    /**
     * Creates the sending half of a connection whose peer has not given a ring yet.
     *
     * @param queue of the session
     * @param connection whose half it is
     * @param maxBytes how large a ring of the peer may be that it mirrors
     */
    SendSide(SendQueue queue, RdmaConnection connection, int maxBytes) {
        this.queue = queue;
        this.connection = connection;
        this.maxBytes = maxBytes;
    }

    /**
     * The peer has given its ring. Before the connection is used.
     *
     * @param ring of which only the first bytes are used
     * @param ringBytes how many
     * @param receiving what states tell of
     */
    void begin(RemoteRing ring, int ringBytes, ReceiveSide receiving) {
        posting = Target.of(ring, connection.slot(), ringBytes, 0);
        target = posting; // volatile store: pairs with isMoveDue
        in = receiving; // volatile store: pairs with postState, for a connect that was given up
    }

    // ---- the sending direction

    /** Copies as many bytes as there is credit for into the mirror and has them posted. Returns their number. */
    int write(ByteBuffer src) throws VerbsException {
        Target to = target;
        int position = src.position();
        if (to.size < maxBytes && src.remaining() > readByPeer + to.size - written) {
            to = grow(to);
        }
        int size = to.size;
        int chunkBytes = to.chunkBytes;
        int from = position;
        // acquire: pairs with readByPeer
        int end = (int) Math.min(src.limit(), position + (readByPeer + size - written));
        while (from < end) {
            int offset = (int) written & size - 1;
            int run = Math.min(Math.min(end - from, chunkBytes), size - offset);
            to.slot.mirror().put(offset, src, from, run);
            from += run;
            written += run;
            src.position(from);
            tail.setRelease(written); // pairs with postData, by whoever has the lock: this thread has it next
            queue.dataIsDue(this);
        }
        return from - position;
    }

    /** More is to be written than the peer's ring has room for: moves to a larger one, or asks for it. */
    private Target grow(Target now) throws VerbsException {
        RemoteRing offered = larger;
        if (offered == now.remote) {
            return now; // as large as the peer makes it
        }
        if (offered == null) {
            if (written >= askAt) {
                asked = true;
                askAt = written + ASK_AGAIN_BYTES;
                queue.openingIsDue(this, connection::encodeMore, false);
            }
            return now;
        }
        RingSlot slot = connection.larger(offered.bytes());
        if (slot == null) {
            larger = null;
            return now;
        }
        Target next = Target.of(offered, slot, offered.bytes(), written);
        queue.moveIsDue(this, next);
        return next;
    }

    /**
     * The peer offers a larger ring. Whoever polls.
     *
     * @throws ProtocolException if nobody asked for it, or not for such a one
     */
    void offered(RemoteRing ring) throws ProtocolException {
        if (!asked || ring.bytes() > maxBytes || ring.bytes() <= target.size) {
            throw new ProtocolException("RING of " + ring.bytes() + " bytes, which nobody asked for");
        }
        larger = ring; // volatile store: pairs with grow
    }

    /** Bytes accepted since the connection began. */
    long tail() {
        return tail.get();
    }

    /** Whether there is credit enough to be worth a wake-up, or a larger ring to move to. */
    boolean isWritable() {
        Target to = target;
        RemoteRing offered = larger;
        return readByPeer + to.size - tail.get() >= to.size / 4 || offered != null && offered != to.remote;
    }

    /** Bytes that may be sent before the peer grants more. Any thread, for reports. */
    long credit() {
        return Math.max(0, readByPeer + target.size - tail.get());
    }

    /**
     * The peer has read up to a count. Whoever polls.
     *
     * @throws ProtocolException if that cannot be
     */
    void readByPeer(long count) throws ProtocolException {
        if (count < readByPeer || count > tail.get()) {
            throw new ProtocolException("STATE says " + count + " bytes were read after " + readByPeer + ", of "
                    + tail.get());
        }
        readByPeer = count; // release: pairs with write, which overwrites what was read
    }

    /** Whether the peer left bytes unread for sure: more than it may read without saying so. */
    boolean isLeftUnread() {
        return tail.get() - readByPeer > ReceiveSide.quietBytes(target.size);
    }

    // ---- what is due; any thread

    /** Opens the connection, or is about its rings; if the peer is to answer, somebody waits for that. */
    void open(Opening message, boolean isAnswered) throws VerbsException {
        queue.openingIsDue(this, message, isAnswered);
    }

    /** Sends this connection's state with further flags, as soon as possible. */
    void state(int furtherFlags) throws VerbsException {
        queue.stateIsDue(this, furtherFlags);
    }

    /** Whether the last message has been acknowledged by the peer's device, so that nothing is lost any more. */
    boolean isFinished() {
        return queue.isCompleted(this);
    }

    /** Whether the last message has been posted. */
    boolean isLastPosted() {
        return queue.isPosted(this);
    }

    /** Whether this side has aborted. */
    boolean isReset() {
        return queue.isReset(this);
    }

    // ---- under the queue's lock

    /** Returns whether this was not waiting for a turn to send data, and is from now on. */
    boolean waitForData() {
        boolean before = waitsForData;
        waitsForData = true;
        return !before;
    }

    /** Returns whether this waited for a turn to send data that is not sent any more, as this side has aborted. */
    boolean dropData() {
        boolean drops = waitsForData && hasAborted();
        waitsForData &= !drops;
        return drops;
    }

    /** As {@link #waitForData}, for a message: the state, with further flags. */
    boolean waitForState(int furtherFlags) {
        flags |= furtherFlags;
        stateDue = true;
        return waitForMessage();
    }

    /** As {@link #waitForData}, for what opens the connection, before all else. */
    boolean waitForOpening(Opening message) {
        openings.add(message);
        return waitForMessage();
    }

    /** Returns whether a message is due, and waits for a turn from now on. The stream's end waits for its last byte. */
    boolean waitForMessage() {
        boolean ready = !openings.isEmpty() || stateDue && ((flags & FINISHED) == 0 || isDrained()) || isMoveDue();
        boolean begins = ready && !waitsForMessage;
        waitsForMessage |= ready;
        return begins;
    }

    private boolean isDrained() {
        return hasAborted() || postedTail == tail.get();
    }

    /** Bytes from now on go to a larger ring. Returns whether the message that says so waits for a turn from now on. */
    boolean waitForMove(Target next) {
        target = next;
        return waitForMessage();
    }

    /** Whether all bytes of the ring before have been posted. */
    private boolean isMoveDue() {
        Target to = target;
        return to != null && to != posting && postedTail == to.from && !hasAborted();
    }

    /** As {@link #waitForData}, where that had to wait for the move to a larger ring. */
    boolean waitForDataAfterMove() {
        return !waitsForData && posting == target && !isDrained() && waitForData();
    }

    RdmaConnection connection() {
        return connection;
    }

    /** The peer does not want the connection, and knows its number no more. */
    void refuse() {
        refused = true;
    }

    /** Whether nothing may be sent any more, as the peer knows the number no more or may soon do so. */
    boolean hasEnded() {
        return refused || finalCount != Long.MAX_VALUE;
    }

    boolean hasAborted() {
        return (flags & RESET) != 0;
    }

    long finalCount() {
        return finalCount;
    }

    /** Posts one write, unless there is nothing to send any more. Returns whether more is due. */
    boolean postData() throws VerbsException {
        Target to = posting;
        Target next = target;
        long end = hasAborted() ? postedTail : to == next ? tail.get() : next.from;
        if (postedTail < end) {
            int offset = (int) postedTail & to.size - 1;
            int length = (int) Math.min(Math.min(end - postedTail, to.chunkBytes), to.size - offset);
            queue.postData(connection.number(), to.slot.mirrorAddress() + offset, length, to.slot.localKey(),
                    to.remote.address() + offset, to.remote.key());
            postedTail += length;
        }
        waitsForData = postedTail < end;
        return waitsForData;
    }

    /** Posts one message. Returns whether another one is due. */
    boolean postMessage() throws VerbsException {
        waitsForMessage = false;
        if (!openings.isEmpty()) {
            queue.postOpening(openings.poll());
        } else if (isMoveDue()) {
            posting = target;
            queue.postMove(connection.number(), postedTail);
        } else {
            postState();
        }
        return waitForMessage();
    }

    private void postState() throws VerbsException {
        int now = isDrained() ? flags : flags & ~(FINISHED | CLOSED); // nothing goes after CLOSED
        ReceiveSide receiving = in;
        queue.postState(connection.number(), now, receiving == null ? 0 : receiving.sayRead(), postedTail, flags != 0);
        stateDue = now != flags;
        if (!stateDue && (flags & CLOSED) != 0 && finalCount == Long.MAX_VALUE) {
            finalCount = queue.finish(this);
        }
    }
}
