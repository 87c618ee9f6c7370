/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.CLOSED;
import static io.rsockets4j.core.rdma.MessageDescriptor.FINISHED;
import static io.rsockets4j.core.rdma.MessageDescriptor.RESET;

import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.VerbsException;
import java.nio.ByteBuffer;
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

    /** A message that opens a connection. */
    interface Opening {
        /** Writes the message at the start of a buffer that begins with zeros. Returns its length. */
        int encode(ByteBuffer out);
    }

    private final SendQueue queue;
    private final RdmaConnection connection;
    private final RingSlot slot;
    private final PeerAdvert peerAdvert = new PeerAdvert();
    private final AtomicLong tail = new AtomicLong(); // bytes accepted; written by the sending direction
    private int size; // of the peer's ring; set before the connection is used, as are the next two
    private int chunkBytes;
    private RemoteRing remote;
    private volatile ReceiveSide in; // null until then
    private long written; // the sending direction's
    private volatile long limit; // written by whoever polls

    // guarded by the queue's lock
    private Opening opening; // that is due
    private long postedTail; // bytes of the stream
    private int flags;
    private boolean stateDue;
    private MemoryRegion advertDue; // what the peer is to hear of, or null
    private boolean withdrawDue;
    private boolean confirmationDue; // that no buffer of the peer's is used any more
    private volatile long direct; // bytes that went straight into the peer's buffers
    private final AtomicLong messages = new AtomicLong(); // writes of data, and messages; written under the lock
    private boolean refused;
    private boolean waitsForData; // in the queue, for a turn
    private boolean waitsForMessage; // in the queue, for a turn
    private long finalCount = Long.MAX_VALUE; // the queue's count after this connection's last message
    private long lentCount; // the queue's count after the last byte of what was lent
    private volatile boolean lentAcknowledged; // by the peer's device

    /**
     * Creates the sending half of a connection whose peer has not given a ring yet.
     *
     * @param queue of the session
     * @param connection whose half it is
     * @param slot whose mirror it has
     */
    SendSide(SendQueue queue, RdmaConnection connection, RingSlot slot) {
        this.queue = queue;
        this.connection = connection;
        this.slot = slot;
    }

    /**
     * The peer has given its ring. Before the connection is used.
     *
     * @param ring of which only the first bytes are used
     * @param ringBytes how many
     * @param receiving what states tell of
     */
    void begin(RemoteRing ring, int ringBytes, ReceiveSide receiving) {
        remote = ring;
        size = ringBytes;
        chunkBytes = chunkBytes(size);
        limit = size;
        in = receiving; // volatile store: pairs with postState, for a connect that was given up
    }

    private static int chunkBytes(int ringBytes) {
        int piece = Math.max(MIN_CHUNK_BYTES, ringBytes / 32);
        return Math.min(ringBytes / 2, Math.min(piece, MAX_CHUNK_BYTES));
    }

    // ---- the sending direction

    /** Copies as many bytes as there is credit for into the mirror and has them posted. Returns their number. */
    int write(ByteBuffer src) throws VerbsException {
        int position = src.position();
        int from = position;
        int end = (int) Math.min(src.limit(), position + (limit - written)); // acquire: pairs with readByPeer
        if (isAdvertised() && from < end) {
            queue.takeAdvert(this, written, end - from, null);
        }
        while (from < end) {
            int offset = (int) written & size - 1;
            int run = Math.min(Math.min(end - from, chunkBytes), size - offset);
            slot.mirror().put(offset, src, from, run);
            from += run;
            written += run;
            src.position(from);
            tail.setRelease(written); // pairs with postData, by whoever has the lock: this thread has it next
            queue.dataIsDue(this);
        }
        return from - position;
    }

    /** How many bytes the buffer takes that the peer's read waits with, if they were sent now; 0 for none. */
    int advertisedBytes() {
        return isAdvertised() ? queue.advertisedBytes(this, written) : 0;
    }

    /**
     * Has the bytes of some memory posted as they lie there, into the buffer that the peer's read waits with, as many
     * as it takes. The memory is in use until {@link #isLentAcknowledged}.
     *
     * @param source registered
     * @return how many bytes; 0, and nothing is sent, if the peer has taken its buffer back
     */
    int writeFrom(MemoryRegion source) throws VerbsException {
        lentAcknowledged = false;
        int length = queue.takeAdvert(this, written, (int) source.length(), source);
        if (length > 0) {
            written += length;
            tail.setRelease(written); // pairs with postData
            queue.dataIsDue(this);
        }
        return length;
    }

    /** Whether the peer's device has all that was lent. Any thread. */
    boolean isLentAcknowledged() {
        return lentAcknowledged;
    }

    /** Bytes accepted since the connection began. */
    long tail() {
        return tail.get();
    }

    /** Whether there is credit enough to be worth a wake-up. */
    boolean isWritable() {
        return limit - tail.get() >= size / 4;
    }

    /** Bytes that may be sent before the peer grants more. Any thread, for reports. */
    long credit() {
        return Math.max(0, limit - tail.get());
    }

    /**
     * The peer has read up to a count. Whoever polls.
     *
     * @throws ProtocolException if that cannot be
     */
    void readByPeer(long count) throws ProtocolException {
        long known = limit - size;
        if (count < known || count > tail.get()) {
            throw new ProtocolException("STATE says " + count + " bytes were read after " + known + ", of "
                    + tail.get());
        }
        limit = count + size; // release: pairs with write, which overwrites what was read
    }

    /** Whether the peer left bytes unread for sure: more than it may read without saying so. */
    boolean isLeftUnread() {
        return tail.get() - (limit - size) > ReceiveSide.quietBytes(size);
    }

    /** Bytes that went straight into the peer's buffers. Any thread, for reports. */
    long direct() {
        return direct;
    }

    /** Writes of data and messages that were posted. Any thread, for reports. */
    long messages() {
        return messages.getOpaque();
    }

    // ---- buffers that wait for bytes

    /** Whether the peer has offered a buffer that was not used. Any thread, as a hint. */
    boolean isAdvertised() {
        return peerAdvert.isHeld();
    }

    /** Tells the peer of a buffer that it may write to. By the receiving direction, which has read all. */
    void advertise(MemoryRegion buffer) throws VerbsException {
        queue.advertIsDue(this, buffer);
    }

    /** Takes back what the peer was not told. Returns false if it may know. By the receiving direction. */
    boolean takeAdvertBack() {
        return queue.takeAdvertBack(this);
    }

    /** Asks the peer to use no buffer of this side's any more, and to confirm that. By the receiving direction. */
    void withdraw() throws VerbsException {
        queue.withdrawalIsDue(this, false);
    }

    /** The peer asks for the same. Whoever polls. */
    void withdrawnByPeer() throws VerbsException {
        queue.withdrawalIsDue(this, true);
    }

    /**
     * The peer offers a buffer, and has read all before the byte that it is for. Whoever polls.
     *
     * @throws ProtocolException if that cannot be
     */
    void advertisedByPeer(long sequence, long address, int length, int key) throws ProtocolException {
        readByPeer(sequence);
        queue.advertised(this, sequence, address, length, key);
    }

    // ---- what is due; any thread

    /** Opens the connection; if the peer is to answer, somebody waits for that. */
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
        opening = message;
        return waitForMessage();
    }

    /** As {@link #waitForData}, for an advert. */
    boolean waitForAdvert(MemoryRegion buffer) {
        advertDue = buffer;
        return waitForMessage();
    }

    /** Forgets an advert of which the peer has not heard. Returns false if there is none. */
    boolean dropAdvert() {
        boolean drops = advertDue != null;
        advertDue = null;
        return drops;
    }

    /** As {@link #waitForData}, for a withdrawal of this side, or the confirmation of the peer's. */
    boolean waitForWithdrawal(boolean ofPeer) {
        if (ofPeer) {
            peerAdvert.drop();
            confirmationDue = true;
        } else {
            withdrawDue = true;
        }
        return waitForMessage();
    }

    PeerAdvert peerAdvert() {
        return peerAdvert;
    }

    /** Returns whether a message is due, and waits for a turn from now on. The stream's end waits for its last byte. */
    boolean waitForMessage() {
        boolean ready = opening != null || advertDue != null || withdrawDue || mayConfirm()
                || stateDue && ((flags & FINISHED) == 0 || isDrained());
        boolean begins = ready && !waitsForMessage;
        waitsForMessage |= ready;
        return begins;
    }

    /** The confirmation goes behind the last byte for a buffer. */
    private boolean mayConfirm() {
        return confirmationDue && (hasAborted() || peerAdvert.remaining(postedTail) == 0);
    }

    private boolean isDrained() {
        return hasAborted() || postedTail == tail.get();
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
        if (!isDrained()) {
            int wanted = (int) Math.min(tail.get() - postedTail, chunkBytes);
            int directly = peerAdvert.remaining(postedTail);
            if (directly == 0) {
                postToRing(wanted);
            } else {
                postDirectly(Math.min(wanted, directly), directly);
            }
        }
        waitsForData = !isDrained();
        return waitsForData;
    }

    /** So many work requests were posted for this connection. */
    void posted(long requests) {
        messages.setOpaque(messages.getPlain() + requests); // no fence: only reports look
    }

    private void postToRing(int wanted) throws VerbsException {
        int offset = (int) postedTail & size - 1;
        int length = Math.min(wanted, size - offset);
        queue.postData(connection.number(), 0, slot.mirrorAddress() + offset, length, slot.localKey(),
                remote.address() + offset, remote.key(), false);
        postedTail += length;
    }

    private void postDirectly(int wanted, int rest) throws VerbsException {
        int offset = (int) postedTail & size - 1;
        boolean lent = peerAdvert.hasSource();
        int length = lent ? wanted : Math.min(wanted, size - offset);
        boolean last = length == rest;
        queue.postData(connection.number(), last ? DataImmediate.DIRECT | DataImmediate.LAST : DataImmediate.DIRECT,
                lent ? peerAdvert.sourceAddress(postedTail) : slot.mirrorAddress() + offset, length,
                lent ? peerAdvert.sourceKey() : slot.localKey(),
                peerAdvert.address(postedTail), peerAdvert.key(), lent && last);
        direct += length;
        postedTail += length;
        if (lent && last) {
            lentCount = queue.finishLent(this);
        }
    }

    /** So many work requests have been acknowledged. Returns whether what was lent is among them. */
    boolean acknowledge(long completed) {
        boolean all = completed >= lentCount;
        lentAcknowledged |= all; // release: pairs with isLentAcknowledged, after which the memory is free
        return all;
    }

    /** Posts one message. Returns whether another one is due. */
    boolean postMessage() throws VerbsException {
        waitsForMessage = false;
        if (opening != null) {
            Opening message = opening;
            opening = null;
            queue.postOpening(message);
        } else if (mayConfirm()) {
            confirmationDue = false;
            queue.postWithdrawal(connection.number(), MessageDescriptor.WITHDRAWN);
        } else if (advertDue != null) {
            queue.postAdvert(connection.number(), in.sayRead(), advertDue);
            advertDue = null;
        } else if (withdrawDue) {
            withdrawDue = false;
            queue.postWithdrawal(connection.number(), MessageDescriptor.WITHDRAW);
        } else if (stateDue) {
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
