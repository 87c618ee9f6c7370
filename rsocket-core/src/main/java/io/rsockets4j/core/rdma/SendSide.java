/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.CLOSED;
import static io.rsockets4j.core.rdma.MessageDescriptor.FINISHED;
import static io.rsockets4j.core.rdma.MessageDescriptor.RESET;

import io.rsockets4j.core.direct.Advert;
import io.rsockets4j.core.direct.DirectCorruptedException;
import io.rsockets4j.core.direct.PeerAdverts;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sending half of a connection: a registered staging buffer with the size and offsets of the peer's ring, and what
 * is due to be sent. What the peer has read may be overwritten here. The sending direction writes; whoever polls for
 * completions says what was read; the session's {@link SendQueue} posts when it is this connection's turn, under its
 * lock.
 *
 * <p>The ring is small at first. A write that does not fit asks for a larger one, and a later one moves there once the
 * peer has offered it. The bytes before still go to the small ring, then the peer is told, then go the others.
 *
 * <p>What the peer has not read stays in the staging buffer. So when the session goes over to another link, whatever
 * has not arrived is posted there again: {@link #interrupt}, {@link #resume}.
 */
final class SendSide {
    /** Large writes are posted in pieces, so that copying, the network and the peer's copying overlap. */
    private static final int MIN_CHUNK_BYTES = 32 << 10;

    /** A turn is never longer than this. */
    static final int MAX_CHUNK_BYTES = 64 << 10;

    /** Where there was no memory for a larger ring, it is asked for again after so many bytes. */
    private static final long ASK_AGAIN_BYTES = 1 << 20;

    /** A ring of the peer's and its staging buffer, for the bytes from a count on. */
    record Target(RemoteRing remote, RingSlot slot, int size, int chunkBytes, long from) {
        static Target of(RemoteRing remote, RingSlot slot, int size, long from) {
            int piece = Math.max(MIN_CHUNK_BYTES, size / 32);
            return new Target(remote, slot, size, Math.min(size / 2, Math.min(piece, MAX_CHUNK_BYTES)), from);
        }
    }

    private final SendQueue queue;
    private final RdmaConnection connection;
    private final int maxBytes; // of the peer's ring
    private final PeerAdverts peerAdverts = new PeerAdverts();
    private final AtomicLong tail = new AtomicLong(); // bytes accepted; written by the sending direction
    private volatile ReceiveSide in; // null until the connection may be used
    private volatile Target target; // of bytes to come; then written under the lock, by the sending direction
    private volatile long readByPeer; // written by whoever polls
    private volatile RemoteRing larger; // that the peer offers; written by whoever polls, dropped by the direction
    private volatile boolean asked; // for a larger ring; written by the sending direction
    private long written; // the sending direction's, as the next one
    private long askAt; // not before so many bytes

    // guarded by the queue's lock
    private Target posting; // of the bytes that are posted next
    private Target before; // of the bytes before the move to posting, or null
    private int key; // of the peer's ring, on the link that is used
    private int largerKey; // of its larger ring, once it has offered one
    private OutgoingMessage first; // what has opened the connection, or null
    private OutgoingMessage opening; // that is due
    private boolean interrupted; // the link has gone, and the peer has not told what has arrived
    private boolean over; // both sides have closed, and the peer's device has all
    private boolean moreDue; // the wish for a larger ring
    private RemoteRing offerDue; // the ring that the peer is to hear of, or null
    private long postedTail; // bytes of the stream
    /**
     * What STATE says of this side's end, posted or due, so that another link can tell it anew. Not the link's
     * OUTPUT_SHUT: FINISHED comes only once no write can follow, and is posted behind the last byte.
     */
    private int stateFlags;
    private boolean stateDue;
    private final ArrayDeque<Advert> advertsDue = new ArrayDeque<>(1); // what the peer is to hear of
    private boolean withdrawDue;
    private boolean confirmationDue; // that no buffer of the peer's is used any more
    private volatile boolean large; // some of the last writes; written by the sending direction
    private volatile long direct; // bytes that went straight into the peer's buffers
    private final AtomicLong messages = new AtomicLong(); // writes of data, and messages; written under the lock
    private boolean refused;
    private boolean streams; // in the last turn for data
    private boolean waitsForData; // in the queue, for a turn
    private boolean waitsForMessage; // in the queue, for a turn
    private long finalCount = Long.MAX_VALUE; // the queue's count after this connection's last message
    private final LentBytes lent = new LentBytes();
    private volatile long lentEnd; // bytes of the stream up to the last one that was lent; the sending direction's

    /**
     * Creates the sending half of a connection whose peer has not given a ring yet.
     *
     * @param queue of the session
     * @param connection whose half it is
     * @param maxBytes how large a ring of the peer may be that it stages bytes for
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
        key = ring.key();
        target = posting; // volatile store: pairs with isMoveDue
        in = receiving; // volatile store: pairs with postState, for a connect that was given up
    }

    // ---- the sending direction

    /** Copies what there is credit for into the staging buffer and has it posted. Returns the number of bytes. */
    int write(ByteBuffer src) throws VerbsException {
        Target to = target;
        if (to.size < maxBytes && src.remaining() > room(to, written)) {
            to = grow(to);
        }
        int size = to.size;
        int chunkBytes = to.chunkBytes;
        int position = src.position();
        int from = position;
        int end = (int) Math.min(src.limit(), position + room(to, written));
        while (from < end) {
            int offset = (int) written & size - 1;
            int run = Math.min(Math.min(end - from, chunkBytes), size - offset);
            to.slot.staging().put(offset, src, from, run);
            from += run;
            written += run;
            src.position(from);
            tail.setRelease(written); // pairs with postData, by whoever has the lock: this thread has it next
            queue.dataIsDue(this);
        }
        return from - position;
    }

    /** How many bytes have room in the ring from a position on. When bytes went straight, all before was read. */
    private long room(Target to, long position) {
        return Math.max(readByPeer, lentEnd) + to.size - position; // acquire: pairs with readByPeer
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
                queue.moreIsDue(this);
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
        queue.offered(this, ring.key());
        larger = ring; // volatile store: pairs with grow
    }

    /** Offers the peer a larger ring. Whoever polls. */
    void offer(RemoteRing ring) throws VerbsException {
        queue.offerIsDue(this, ring);
    }

    /** How many bytes the buffers take that the peer's reads wait with, if they were sent now; 0 for none. */
    long advertisedBytes() {
        return isAdvertised() ? queue.take(() -> written == tail.get() ? peerAdverts.room(written) : 0) : 0;
    }

    /**
     * The next bytes are those of some memory, as they lie there, and go into the buffers that the peer's reads wait
     * with, as many as they take. {@link #postLent} is to follow. The memory is in use until they are acknowledged.
     *
     * @param source registered
     * @param address where they begin, in it
     * @param length how many there are
     * @return the bytes; null, and nothing is sent, if the peer has taken its buffers back
     */
    LentBytes.Part lend(MemoryRegion source, long address, int length) {
        LentBytes.Part part = queue.take(() -> lent(source, address, length));
        if (part != null) {
            written = tail.get();
            lentEnd = written;
        }
        return part;
    }

    /** Whether large writes are among the last ones, which would go straight if reads of the peer waited for them. */
    void sendsLarge(boolean now) {
        boolean told = now && connection.session().takesAdverts();
        if (large != told) {
            large = told;
        }
    }

    /** Has what was lent posted. */
    void postLent() throws VerbsException {
        queue.dataIsDue(this);
    }

    /** For the sending direction: memory is free again. Another link may have taken over, by which the rest goes. */
    void finishLent() {
        written = tail.get();
        lentEnd = Math.min(lentEnd, written);
    }

    /** Whether nothing is under way from the program's memory. */
    boolean isLentAcknowledged() {
        return queue.holds(lent::isEmpty);
    }

    /** Bytes accepted since the connection began. */
    long tail() {
        return tail.get();
    }

    /** Whether there is credit enough to be worth a wake-up, or a larger ring to move to. */
    boolean isWritable() {
        Target to = target;
        RemoteRing offered = larger;
        return room(to, tail.get()) >= to.size / 4 || offered != null && offered != to.remote;
    }

    /** Bytes that may be sent before the peer grants more. Any thread, for reports. */
    long credit() {
        return Math.max(0, room(target, tail.get()));
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
        return peerAdverts.isHeld();
    }

    /**
     * Tells the peer of a buffer that it may write to. By the receiving direction, which has read all.
     *
     * @param buffer registered
     * @param from offset of the first byte that it may write
     * @param waitAll whether it may write until the buffer is full
     * @param index how many buffers the peer was told of that are not read
     * @return false if the link that is used does not know the buffer, or those before
     */
    boolean advertise(MemoryRegion buffer, int from, boolean waitAll, int index) throws VerbsException {
        return queue.advertIsDue(this, buffer, from, waitAll, index);
    }

    /** Takes back what the peer was not told. Returns how many buffers those are. By the receiving direction. */
    int dropAdverts() {
        return queue.take(this::forgetAdverts);
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
     * The peer offers a buffer, and has read so many bytes. Whoever polls.
     *
     * @throws ProtocolException if that cannot be
     * @throws DirectCorruptedException if that cannot be
     */
    void advertisedByPeer(long sequence, Advert advert) throws ProtocolException, DirectCorruptedException {
        readByPeer(sequence);
        queue.advertised(this, advert);
    }

    // ---- what is due; any thread

    /** Opens the connection; if the peer is to answer, somebody waits for that. */
    void open(OutgoingMessage message, boolean isAnswered) throws VerbsException {
        queue.openingIsDue(this, message, isAnswered);
    }

    /** Sends this connection's state with further flags, as soon as possible. */
    void state(int furtherFlags) throws VerbsException {
        queue.stateIsDue(this, furtherFlags);
    }

    /** Whether the last message has been acknowledged by the peer's device, so that nothing is lost any more. */
    boolean isFinished() {
        return queue.holds(() -> queue.hasCompleted(finalCount));
    }

    /** As {@link #isFinished}; true once. From then on no other link has to know of the connection. */
    boolean isOver() {
        return queue.holds(() -> queue.hasCompleted(finalCount) && end());
    }

    /** Whether the program has closed. */
    boolean isClosed() {
        return queue.holds(this::hasClosed);
    }

    /** Whether the last message has been posted. */
    boolean isLastPosted() {
        return queue.holds(this::hasEnded);
    }

    /** Whether this side has aborted. */
    boolean isReset() {
        return queue.holds(this::hasAborted);
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
        stateFlags |= furtherFlags;
        stateDue = true;
        return waitForMessage();
    }

    /** As {@link #waitForData}, for what opens the connection, before all else. */
    boolean waitForOpening(OutgoingMessage message) {
        first = message;
        opening = message;
        return waitForMessage();
    }

    /** As {@link #waitForData}, for the wish for a larger ring. */
    boolean waitForMore() {
        moreDue = true;
        return waitForMessage();
    }

    /** As {@link #waitForData}, for the offer of a larger ring. */
    boolean waitForOffer(RemoteRing ring) {
        offerDue = ring;
        return waitForMessage();
    }

    /** Bytes from now on go to a larger ring. As {@link #waitForData}, for the message that says so. */
    boolean waitForMove(Target next) {
        target = next;
        return waitForMessage();
    }

    /** Whether all bytes of the ring before have been posted, and the peer is to hear that others go elsewhere. */
    private boolean isMoveDue() {
        Target to = target;
        return to != posting && postedTail == to.from && !hasAborted();
    }

    /** As {@link #waitForData}, where data had to wait for the move to a larger ring. */
    boolean waitForDataAfterMove() {
        return !waitsForData && waitForDataLeft();
    }

    /** As {@link #waitForData}, if there is some that may be posted: not before what opens the connection. */
    boolean waitForDataLeft() {
        return due() > 0 && waitForData();
    }

    /** As {@link #waitForData}, for an advert, of which this side knows from now on. */
    boolean waitForAdvert(MemoryRegion buffer, int from, boolean waitAll) {
        advertsDue.addLast(in.advertise(buffer.address() + from, (int) buffer.length() - from, buffer.remoteKey(),
                waitAll));
        return waitForMessage();
    }

    /** Whether the peer may be told of a buffer behind so many others. */
    boolean mayAdvertise(MemoryRegion buffer, int index) {
        return isRegistered(buffer) && in.advertised() == index && in.isDrained();
    }

    /** Whether the link that is used knows a buffer. If it was another link that did, the bytes go by the ring. */
    boolean isRegistered(MemoryRegion buffer) {
        RdmaSession session = connection.session();
        return session == null || session.memory().isLent(buffer);
    }

    /** Forgets adverts of which the peer has not heard. Returns how many. */
    int forgetAdverts() {
        int dropped = advertsDue.size();
        advertsDue.clear();
        return dropped;
    }

    /** As {@link #waitForData}, for a withdrawal of this side, or the confirmation of the peer's. */
    boolean waitForWithdrawal(boolean ofPeer) {
        if (ofPeer) {
            peerAdverts.drop();
            confirmationDue = true;
        } else {
            withdrawDue = connection.isWithdrawing(); // if not, the link has gone since, and with it the advert
        }
        return waitForMessage();
    }

    /** The peer offers a buffer. */
    void hold(Advert advert) throws DirectCorruptedException {
        peerAdverts.hold(advert, tail.get()); // under the lock, as what is lent counts there and here
    }

    /** The peer offers a larger ring. */
    void offeredKey(int newKey) {
        largerKey = newKey;
    }

    private LentBytes.Part lent(MemoryRegion source, long address, int length) {
        int bytes = isRegistered(source) && written == tail.get() // else it was another link that knew it
                ? peerAdverts.take(written, length, address, source.localKey()) : 0;
        if (bytes == 0) {
            return null;
        }
        tail.setRelease(written + bytes); // pairs with postData; the sending direction posts it next
        return lent.add(written, bytes);
    }

    /** Returns whether a message is due, and waits for a turn from now on. The stream's end waits for its last byte. */
    boolean waitForMessage() {
        boolean ready = opening != null || moreDue || offerDue != null || isMoveDue()
                || !advertsDue.isEmpty() || withdrawDue || mayConfirm()
                || stateDue && ((stateFlags & FINISHED) == 0 || isDrained());
        boolean begins = ready && !waitsForMessage;
        waitsForMessage |= ready;
        return begins;
    }

    /** The confirmation goes behind the last byte for a buffer. */
    private boolean mayConfirm() {
        return confirmationDue && (hasAborted() || peerAdverts.isWritten(postedTail));
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
        return (stateFlags & RESET) != 0;
    }

    long finalCount() {
        return finalCount;
    }

    /** Whether the last turn was one of a stream. Returns what the turn before was. */
    boolean hasMuchToSend(boolean now) {
        boolean before = streams;
        streams = now;
        return before;
    }

    /** How many bytes may be posted now. */
    long due() {
        return postableTail() - postedTail;
    }

    /** Posts one write, unless there is nothing to send any more. Returns whether more is due. */
    boolean postData() throws VerbsException {
        long end = postableTail();
        if (postedTail < end) {
            int straight = peerAdverts.straight(postedTail);
            if (straight > 0) {
                postStraight(straight);
            } else {
                postToRing((int) Math.min(Math.min(end - postedTail, posting.chunkBytes),
                        peerAdverts.byRing(postedTail)));
            }
        }
        waitsForData = postedTail < end;
        return waitsForData;
    }

    /** Which bytes may be posted now: before a move those of the ring before, none before the connection is open. */
    private long postableTail() {
        if (hasAborted() || opening != null) {
            return postedTail;
        }
        Target next = target;
        return posting == next ? tail.get() : next.from;
    }

    /** So many work requests were posted for this connection. */
    void posted(long requests) {
        messages.setOpaque(messages.getPlain() + requests); // no fence: only reports look
    }

    private void postToRing(int wanted) throws VerbsException {
        Target to = posting;
        int offset = (int) postedTail & to.size - 1;
        int length = Math.min(wanted, to.size - offset);
        queue.postData(connection.number(), large ? DataImmediate.LARGE : 0,
                to.slot.stagingAddress() + offset, length, to.slot.localKey(),
                to.remote.address() + offset, before == null ? key : largerKey, false);
        postedTail += length;
    }

    /** Posts from the program's memory: neither the ring's size nor copies matter. */
    private void postStraight(int rest) throws VerbsException {
        int length = Math.min(rest, MAX_CHUNK_BYTES);
        boolean last = length == rest && peerAdverts.endsBuffer();
        queue.postData(connection.number(), last ? DataImmediate.DIRECT | DataImmediate.LAST : DataImmediate.DIRECT,
                peerAdverts.fromAddress(postedTail), length, peerAdverts.fromKey(), peerAdverts.address(postedTail),
                peerAdverts.key(), length == rest);
        direct += length;
        postedTail += length;
        if (length == rest) {
            queue.finishLent(this);
        }
    }

    /** Bytes were posted from lent memory, and the count is this since. Returns whether a part is complete. */
    boolean lentPosted(long count) {
        return lent.posted(postedTail, count);
    }

    /** So many work requests have been acknowledged. Returns whether the oldest part of what was lent is among them. */
    boolean acknowledge(long completed) {
        return lent.acknowledged(completed);
    }

    // ---- another link

    /**
     * The link has gone: what was due, and was posted, is of no use. Returns whether the peer is to be told of this
     * connection; it knows those no more that both sides have closed.
     */
    boolean interrupt() {
        waitsForData = false;
        waitsForMessage = false;
        interrupted = !over && !refused && (in != null || first != null && connection.isAsked());
        opening = null;
        moreDue = false;
        offerDue = null;
        advertsDue.clear();
        withdrawDue = false;
        confirmationDue = false;
        peerAdverts.forget();
        connection.interrupted();
        if (finalCount != Long.MAX_VALUE) {
            finalCount = Long.MAX_VALUE; // the peer may not have it
            stateDue = true;
        }
        return interrupted;
    }

    boolean isInterrupted() {
        return interrupted;
    }

    /** Tells the peer what has arrived. */
    void postResume() throws VerbsException {
        ReceiveSide receiving = in;
        RingSlot larger = connection.larger();
        queue.post(new Resume(connection.number(), receiving == null, connection.hasLastState(),
                receiving != null && receiving.hasMoved(),
                receiving == null ? 0 : receiving.sayRead(), receiving == null ? 0 : receiving.arrived(),
                connection.slot().forPeer().key(), larger == null ? 0 : larger.forPeer().key())::encode);
    }

    /**
     * The peer has told what has arrived: what has not is posted again.
     *
     * @param told null if the peer does not know the connection
     * @return whether it goes on
     * @throws ProtocolException if that cannot be
     */
    boolean resume(Resume told) throws ProtocolException {
        interrupted = false;
        boolean asks = in == null;
        if (told == null) { // the peer has not had the request, or has ended the connection
            boolean again = asks && !hasAborted();
            opening = again ? first : null;
            refused = !again; // nothing is sent for it
            return again;
        }
        if (asks) { // the answer comes again, unless the peer means an older connection with this number
            opening = told.closed() && !hasAborted() ? first : null;
            return true;
        }
        if (told.asked() && hasClosed() && connection.hasLastState()) {
            refused = true; // the peer means a newer one, of which this side does not know
            return false;
        }
        if (told.asked()) {
            opening = first; // the answer
        }
        if (told.read() > told.arrived() || told.arrived() < readByPeer || told.arrived() > tail.get()
                || opening == null && told.asked()) {
            throw new ProtocolException("RESUME of connection " + told.number() + " says that " + told.arrived()
                    + " bytes arrived and " + told.read() + " were read, of " + tail.get());
        }
        readByPeer(told.read());
        resumeAt(told);
        stateDue |= stateFlags != 0;
        if (told.closed()) {
            if (!hasClosed()) {
                throw new ProtocolException("RESUME of connection " + told.number() + " after its end, which is open");
            }
            stateDue = false;
            finalCount = 0; // acknowledged, as if by the device
        }
        if (told.arrived() < lent.arrived()) {
            return false; // they are with the program again, who may have changed them since
        }
        if (!lent.isEmpty()) { // else the sending direction may write now
            tail.set(lent.end(told.arrived(), tail.get())); // the program sends the rest again
        }
        return true;
    }

    private void resumeAt(Resume told) throws ProtocolException {
        boolean moves = before != null;
        if (moves && !told.moved()) {
            posting = before; // to be told again
            before = null;
        }
        if (told.moved() != (before != null) || moves && !told.moved() && told.arrived() > target.from) {
            throw new ProtocolException("RESUME of connection " + told.number() + " for another ring");
        }
        key = told.key();
        largerKey = told.largerKey();
        postedTail = told.arrived();
        peerAdverts.resume(postedTail);
    }

    /** Where nothing is written to, to see whether the peer's host is there. */
    RemoteRing probed(RemoteRing known) {
        Target to = posting;
        return to == null ? known : new RemoteRing(to.remote.address(), to.remote.bytes(), before == null ? key
                : largerKey);
    }

    /** Both sides have closed. Returns false if that was known. */
    boolean end() {
        boolean ends = !over;
        over = true;
        return ends;
    }

    /** Whether this side's program has closed. Under the queue's lock. */
    boolean hasClosed() {
        return (stateFlags & CLOSED) != 0;
    }

    // ---- posting

    /** Posts one message. Returns whether another one is due. */
    boolean postMessage() throws VerbsException {
        waitsForMessage = false;
        if (opening != null) {
            OutgoingMessage message = opening;
            opening = null;
            queue.post(message);
        } else if (!postAboutRings()) {
            postOther();
        }
        return waitForMessage();
    }

    /** Returns whether there was such a message. */
    private boolean postAboutRings() throws VerbsException {
        if (moreDue) {
            moreDue = false;
            queue.postMore(connection.number(), maxBytes);
        } else if (offerDue != null) {
            queue.postOffer(connection.number(), offerDue);
            offerDue = null;
        } else if (isMoveDue()) {
            before = posting;
            posting = target;
            queue.postMove(connection.number(), postedTail);
        } else {
            return false;
        }
        return true;
    }

    private void postOther() throws VerbsException {
        if (mayConfirm()) {
            confirmationDue = false;
            queue.postWithdrawal(connection.number(), MessageDescriptor.WITHDRAWN);
        } else if (!advertsDue.isEmpty()) {
            queue.postAdvert(connection.number(), in.sayRead(), advertsDue.pollFirst());
        } else if (withdrawDue) {
            withdrawDue = false;
            queue.postWithdrawal(connection.number(), MessageDescriptor.WITHDRAW);
        } else if (stateDue) {
            postState();
        }
    }

    private void postState() throws VerbsException {
        int now = isDrained() ? stateFlags : stateFlags & ~(FINISHED | CLOSED); // nothing goes after CLOSED
        ReceiveSide receiving = in;
        queue.postState(connection.number(), now, receiving == null ? 0 : receiving.sayRead(), postedTail,
                stateFlags != 0);
        stateDue = now != stateFlags;
        if (!stateDue && (stateFlags & CLOSED) != 0 && finalCount == Long.MAX_VALUE) {
            finalCount = queue.finish(this);
        }
    }
}
