/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.MESSAGE_BYTES;

import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The send queue of a session: posts the data and messages of its connections as far as its slots and the peer's
 * receives allow, and keeps whose turn it is until they do. Thread-safe: the sending directions, whoever polls for
 * completions and whoever closes post here, under one lock that is never held while waiting.
 *
 * <p>Turns: connections with data wait in a line, as do those with messages. Who is first posts one write or one
 * message, and goes to the end of its line if it has more.
 *
 * <p>Credit for receives: data leaves {@link #RESERVED_RECEIVES} of the peer's receives alone, a message leaves one,
 * and the last one is for a GRANT of at least half of a receive queue. So the two sides never both stand without. What
 * data can grant needs no GRANT: see {@code docs/decisions/0006-verbs.md}.
 */
final class SendQueue {
    /** What is known of the peer's receives before it says something. */
    static final int UNKNOWN_CREDIT = -1;
    /** Slots of the send queue. */
    static final int CAPACITY = 256;
    /** Receives of the peer that data leaves alone. */
    static final int RESERVED_RECEIVES = 4;

    private static final int DATA_TYPE_SHIFT = 24; // the first byte of a message
    private static final int RESERVED_SLOTS = 4;
    private static final int GRANT_WORTH_THE_LAST = ReceiveQueue.CAPACITY / 2;
    private static final int SIGNAL_EVERY = 16;

    private final QueuePair queuePair;
    private final MessageBuffers buffers;
    private final long tag;
    private final ReceiveQueue receives;
    private final Stalls stalls;
    private final ByteBuffer messages;
    private final int inlineBytes;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private final ArrayDeque<SendSide> withData = new ArrayDeque<>(); // in the order of their turns
    private final ArrayDeque<SendSide> withMessages = new ArrayDeque<>();
    private final ArrayDeque<SendSide> finished = new ArrayDeque<>(); // have posted their last message, in order
    private final ArrayDeque<SendSide> lenders = new ArrayDeque<>(); // have posted all of what was lent, in order
    private final ArrayDeque<SendSide.Opening> refusals = new ArrayDeque<>();
    private long posted; // work requests
    private long completed;
    private long signalled; // the count after the last one that was
    private long granted; // receives of the peer, since the session began
    private long used; // of those
    private int peerReceives; // how many it keeps posted
    private int answersDue; // of the peer, to connects
    private boolean stalled; // something is due that could not be posted, or the peer's answer has not come
    private boolean begun; // the peer's HELLO has come
    private boolean closed;
    private boolean immediate;
    private boolean movesRings; // the peer, if it is asked
    private RemoteRing probed; // where nothing is written to

    private volatile long grantedReceives; // of ours, as the peer knows; written under lock
    private int dataCredit = UNKNOWN_CREDIT; // what the peer's data last said of its receives; used by whoever polls

    SendQueue(QueuePair queuePair, MessageBuffers buffers, long tag, ReceiveQueue receives, Stalls stalls) {
        this.queuePair = queuePair;
        this.buffers = buffers;
        this.tag = tag;
        this.receives = receives;
        this.stalls = stalls;
        grantedReceives = receives.posted(); // as HELLO says
        messages = buffers.sent();
        inlineBytes = queuePair.inlineBytes();
        stalled(true); // until the peer's HELLO brings credit
    }

    /** The peer's HELLO has come. */
    void begin(Hello peer, boolean withImmediate) throws VerbsException {
        lock.lock();
        try {
            begun = true;
            probed = peer.ring();
            peerReceives = peer.receives();
            granted = peerReceives;
            immediate = withImmediate;
            movesRings = peer.movesRings();
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a HELLO, for which every peer has a receive. Comes before all else. */
    void hello(Hello own) throws VerbsException {
        lock.lock();
        try {
            if (!closed) {
                int at = message();
                postMessage(at, own.encode(messages.slice(at, MESSAGE_BYTES)), true);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- what is due

    /** A connection has data to send. For its sending direction. */
    void dataIsDue(SendSide sender) throws VerbsException {
        lock.lock();
        try {
            if (withData.isEmpty() && mayPostData()) { // nearly always: it is this connection's turn
                takeTurn(sender);
            } else if (sender.waitForData()) {
                withData.addLast(sender);
            }
            if (stalled || isDue()) {
                flush();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A connection has its state to send, with further flags. */
    void stateIsDue(SendSide sender, int furtherFlags) throws VerbsException {
        lock.lock();
        try {
            if (!sender.hasEnded() && sender.waitForState(furtherFlags)) {
                withMessages.addLast(sender);
            }
            if (sender.dropData()) {
                withData.remove(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** A connection has a buffer to advertise. */
    void advertIsDue(SendSide sender, MemoryRegion buffer) throws VerbsException {
        lock.lock();
        try {
            if (!sender.hasEnded() && sender.waitForAdvert(buffer)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** Drops the advert of a connection that was not posted. Returns false if it was. */
    boolean takeAdvertBack(SendSide sender) {
        lock.lock();
        try {
            return sender.dropAdvert();
        } finally {
            lock.unlock();
        }
    }

    /** A connection is to ask for its buffer back, or to confirm that it uses the peer's no more. */
    void withdrawalIsDue(SendSide sender, boolean ofPeer) throws VerbsException {
        lock.lock();
        try {
            if (!sender.hasEnded() && sender.waitForWithdrawal(ofPeer)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** The peer of a connection has advertised a buffer. Whoever polls. */
    void advertised(SendSide sender, long sequence, long address, int length, int key) throws ProtocolException {
        lock.lock();
        try {
            sender.peerAdvert().hold(sequence, address, length, key);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A connection's next bytes may go to the buffer that its peer has advertised. Its sending direction.
     *
     * @param source the memory that has them, or null for the mirror
     * @return how many bytes go there
     */
    int takeAdvert(SendSide sender, long position, int wanted, MemoryRegion source) {
        lock.lock();
        try {
            return sender.peerAdvert().take(position, wanted, source);
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes from a position on may go to the buffer that a connection's peer has advertised. */
    int advertisedBytes(SendSide sender, long position) {
        lock.lock();
        try {
            return sender.peerAdvert().room(position);
        } finally {
            lock.unlock();
        }
    }

    /** A connection has more to send than the peer's ring has room for. For its sending direction. */
    void moreIsDue(SendSide sender) throws VerbsException {
        lock.lock();
        try {
            if (movesRings && !sender.hasEnded() && sender.waitForMore()) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** A connection offers its peer a larger ring. Whoever polls. */
    void offerIsDue(SendSide sender, RemoteRing ring) throws VerbsException {
        lock.lock();
        try {
            if (!sender.hasEnded() && sender.waitForOffer(ring)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** A connection writes to a larger ring from now on. For its sending direction. */
    void moveIsDue(SendSide sender, SendSide.Target to) throws VerbsException {
        lock.lock();
        try {
            if (sender.waitForMove(to)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A connection is to be opened.
     *
     * @param isAnswered whether the peer answers, for which somebody waits
     */
    void openingIsDue(SendSide sender, SendSide.Opening message, boolean isAnswered) throws VerbsException {
        lock.lock();
        try {
            answersDue += isAnswered ? 1 : 0;
            if (sender.waitForOpening(message)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** A connect was answered; if it was refused, nothing more is sent for that connection. Whoever polls. */
    void answered(SendSide sender, boolean refused) {
        lock.lock();
        try {
            answersDue--;
            if (refused) {
                sender.refuse();
            }
            findStall();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A connection is not to be opened.
     *
     * @throws ProtocolException if the peer asks for more and more without reading the answers
     */
    void refusalIsDue(SendSide.Opening message) throws VerbsException, ProtocolException {
        lock.lock();
        try {
            if (refusals.size() == DataImmediate.NUMBERS) {
                throw new ProtocolException("too many CONNECTs");
            }
            refusals.addLast(message);
            flush();
        } finally {
            lock.unlock();
        }
    }

    // ---- credit

    /** How many of the peer's receives this side may use, for reports; {@link #UNKNOWN_CREDIT} before its HELLO. */
    int credit() {
        lock.lock();
        try {
            return begun ? (int) (granted - used) : UNKNOWN_CREDIT;
        } finally {
            lock.unlock();
        }
    }

    /** A send has completed, and all before it. Returns whether {@link #nextAcknowledged} may have news. */
    boolean completed(int value) throws VerbsException {
        lock.lock();
        try {
            long count = completed + WorkRequestIds.distance(value, completed);
            if (count <= posted) {
                completed = count;
            }
            flush();
            return !lenders.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The peer has granted receives by a message, up to a count. Whoever polls.
     *
     * @throws ProtocolException if that count cannot be
     */
    void granted(long newGranted) throws VerbsException, ProtocolException {
        dataCredit = UNKNOWN_CREDIT; // by now the same low bits may mean a higher count
        grant(newGranted);
    }

    private void grant(long newGranted) throws VerbsException, ProtocolException {
        lock.lock();
        try {
            if (newGranted < granted || newGranted > used + peerReceives) {
                throw new ProtocolException("receives are granted up to " + newGranted + " after " + granted
                        + ", of which " + used + " were used");
            }
            granted = newGranted;
            flush();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The peer's data says how many receives it has posted. Whoever polls.
     *
     * @throws ProtocolException if that cannot be
     */
    void grantedWithData(int credit) throws VerbsException, ProtocolException {
        if (credit != dataCredit) { // seldom: no lock for each message
            dataCredit = credit;
            lock.lock();
            try {
                grant(DataImmediate.receives(credit, granted));
            } finally {
                lock.unlock();
            }
        }
    }

    /** A receive was posted again: grants half a queue at a time, unless data has done so. */
    void receivePosted() throws VerbsException {
        if (receives.posted() - grantedReceives >= GRANT_WORTH_THE_LAST) {
            lock.lock();
            try {
                flush();
            } finally {
                lock.unlock();
            }
        }
    }

    // ---- the end

    /** Whether a connection's last message has been acknowledged by the peer's device. */
    boolean isCompleted(SendSide sender) {
        lock.lock();
        try {
            return completed >= sender.finalCount();
        } finally {
            lock.unlock();
        }
    }

    /** A connection whose last message has been acknowledged, of which that was not known; null if there is none. */
    RdmaConnection nextFinished() {
        lock.lock();
        try {
            SendSide next = finished.peekFirst();
            return next != null && completed >= next.finalCount() ? finished.pollFirst().connection() : null;
        } finally {
            lock.unlock();
        }
    }

    /** A connection whose memory was lent, all of which the peer's device has got since; null if there is none. */
    RdmaConnection nextAcknowledged() {
        lock.lock();
        try {
            SendSide next = lenders.peekFirst();
            return next != null && next.acknowledge(completed) ? lenders.pollFirst().connection() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a connection has posted its last message. */
    boolean isPosted(SendSide sender) {
        lock.lock();
        try {
            return sender.hasEnded();
        } finally {
            lock.unlock();
        }
    }

    /** Whether this side has aborted a connection. */
    boolean isReset(SendSide sender) {
        lock.lock();
        try {
            return sender.hasAborted();
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything that was due has been acknowledged by the peer's device. */
    boolean isQuiet() {
        lock.lock();
        try {
            return closed || !isDue() && completed == posted;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is posted any more: the queue pair is about to go. */
    void close() {
        lock.lock();
        closed = true;
        stalled(false);
        lock.unlock();
    }

    /** Writes nothing, only to hear whether the peer's host still answers. */
    void probe() throws VerbsException {
        lock.lock();
        try {
            if (begun && !closed && posted - completed < CAPACITY) {
                queuePair.postWrite(nextId(), 0, 0, buffers.localKey(), probed.address(), probed.key(),
                        QueuePair.SIGNALED);
                signalled = posted;
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- posting, under the lock

    private void flush() throws VerbsException {
        if (closed || !begun) {
            return;
        }
        do {
            while (!withData.isEmpty() && mayPostData()) {
                takeTurn(withData.pollFirst());
            }
            while (!withMessages.isEmpty() && maySendMessage()) {
                takeMessageTurn(withMessages.pollFirst());
            }
        } while (!withData.isEmpty() && mayPostData());
        while (!refusals.isEmpty() && maySendMessage()) {
            postOpening(refusals.pollFirst());
        }
        if (receives.posted() - grantedReceives >= GRANT_WORTH_THE_LAST) {
            postGrant();
        }
        findStall();
    }

    private void takeTurn(SendSide sender) throws VerbsException {
        long before = posted;
        boolean more = sender.postData();
        sender.posted(posted - before);
        if (more) {
            withData.addLast(sender);
        } else if (sender.waitForMessage()) {
            withMessages.addLast(sender);
        }
    }

    private void takeMessageTurn(SendSide sender) throws VerbsException {
        long before = posted;
        boolean more = sender.postMessage();
        sender.posted(posted - before);
        if (more) {
            withMessages.addLast(sender);
        }
        if (sender.waitForDataAfterMove()) {
            withData.addLast(sender);
        }
    }

    private boolean mayPostData() {
        return begun && !closed && granted - used > RESERVED_RECEIVES
                && posted + (immediate ? 1 : 2) - completed <= CAPACITY - RESERVED_SLOTS;
    }

    private boolean maySendMessage() {
        return granted - used > 1 && posted - completed < CAPACITY;
    }

    private boolean isDue() {
        return !withData.isEmpty() || !withMessages.isEmpty() || !refusals.isEmpty();
    }

    private void findStall() {
        stalled(!closed && (!begun || answersDue > 0 || isDue()
                || receives.posted() - grantedReceives >= GRANT_WORTH_THE_LAST));
    }

    private void stalled(boolean now) {
        if (now != stalled) {
            stalled = now;
            if (now) {
                stalls.begin();
            } else {
                stalls.end();
            }
        }
    }

    /** Posts one write, with flags of the immediate, for the connection whose turn it is. */
    void postData(int number, int flags, long from, int length, int localKey, long to, int remoteKey,
            boolean signalNow) throws VerbsException {
        int data = DataImmediate.of(number, grantWithData()) | flags;
        int inline = length <= inlineBytes ? QueuePair.INLINE : 0;
        if (immediate) {
            used++;
            long id = nextId();
            queuePair.postWriteWithImmediate(id, from, length, localKey, to, remoteKey,
                    inline | signal(signalNow), data);
        } else {
            queuePair.postWrite(nextId(), from, length, localKey, to, remoteKey, inline);
            int at = message();
            messages.putInt(at, MessageDescriptor.DATA << DATA_TYPE_SHIFT); // and nothing of an older message
            messages.putInt(at + MessageDescriptor.DATA_IMMEDIATE, data);
            messages.putInt(at + MessageDescriptor.DATA_LENGTH, length);
            postMessage(at, MessageDescriptor.DATA_BYTES, signalNow);
        }
    }

    /** The receives that data is to grant: at times more than before. */
    private long grantWithData() {
        long receivesPosted = receives.posted();
        if (receivesPosted - grantedReceives >= DataImmediate.CREDIT_UNIT) {
            grantedReceives = DataImmediate.roundDown(receivesPosted);
        }
        return grantedReceives;
    }

    /** Posts the state of a connection, which grants receives as well. */
    void postState(int number, int flags, long bytesRead, long bytesSent, boolean signalNow) throws VerbsException {
        int at = message();
        messages.putInt(at, MessageDescriptor.STATE << DATA_TYPE_SHIFT);
        messages.put(at + MessageDescriptor.STATE_FLAGS, (byte) flags);
        messages.putInt(at + MessageDescriptor.NUMBER, number);
        messages.putLong(at + MessageDescriptor.STATE_BYTES_READ, bytesRead);
        messages.putLong(at + MessageDescriptor.STATE_RECEIVES, grantAll());
        messages.putLong(at + MessageDescriptor.STATE_BYTES_SENT, bytesSent);
        postMessage(at, MessageDescriptor.STATE_BYTES, signalNow);
    }

    /** Posts an advert, which grants receives, and says what was read, as a state does. */
    void postAdvert(int number, long bytesRead, MemoryRegion buffer) throws VerbsException {
        int at = message();
        messages.putInt(at, MessageDescriptor.ADVERT << DATA_TYPE_SHIFT);
        messages.putInt(at + MessageDescriptor.NUMBER, number);
        messages.putLong(at + MessageDescriptor.ADVERT_BYTES_READ, bytesRead);
        messages.putLong(at + MessageDescriptor.ADVERT_RECEIVES, grantAll());
        messages.putLong(at + MessageDescriptor.ADVERT_ADDRESS, buffer.address());
        messages.putInt(at + MessageDescriptor.ADVERT_LENGTH, (int) buffer.length());
        messages.putInt(at + MessageDescriptor.ADVERT_KEY, buffer.remoteKey());
        postMessage(at, MessageDescriptor.ADVERT_BYTES, false);
    }

    /** Posts a withdrawal or its confirmation. */
    void postWithdrawal(int number, byte type) throws VerbsException {
        int at = message();
        messages.putInt(at, type << DATA_TYPE_SHIFT);
        messages.putInt(at + MessageDescriptor.NUMBER, number);
        postMessage(at, MessageDescriptor.WITHDRAW_BYTES, false);
    }

    /** Asks for a larger ring of a connection. */
    void postMore(int number, int maxBytes) throws VerbsException {
        int at = message();
        messages.putInt(at, MessageDescriptor.MORE << DATA_TYPE_SHIFT);
        messages.putInt(at + MessageDescriptor.NUMBER, number);
        messages.putInt(at + MessageDescriptor.MORE_MAX_BYTES, maxBytes);
        postMessage(at, MessageDescriptor.MORE_BYTES, false);
    }

    /** Offers a larger ring of a connection. */
    void postOffer(int number, RemoteRing ring) throws VerbsException {
        int at = message();
        messages.putInt(at, MessageDescriptor.RING << DATA_TYPE_SHIFT);
        messages.putInt(at + MessageDescriptor.NUMBER, number);
        ring.encode(messages.slice(at, MESSAGE_BYTES), MessageDescriptor.RING_ADDRESS);
        postMessage(at, MessageDescriptor.RING_BYTES, false);
    }

    /** Says that a connection's bytes go to its larger ring, after those that were sent. */
    void postMove(int number, long bytesSent) throws VerbsException {
        int at = message();
        messages.putInt(at, MessageDescriptor.MOVE << DATA_TYPE_SHIFT);
        messages.putInt(at + MessageDescriptor.NUMBER, number);
        messages.putLong(at + MessageDescriptor.MOVE_FROM, bytesSent);
        postMessage(at, MessageDescriptor.MOVE_BYTES, false);
    }

    private long grantAll() {
        long receivesPosted = receives.posted();
        grantedReceives = receivesPosted;
        return receivesPosted;
    }

    /** Posts a message that opens a connection, or refuses to. */
    void postOpening(SendSide.Opening message) throws VerbsException {
        int at = message();
        messages.putLong(at, 0);
        postMessage(at, message.encode(messages.slice(at, MESSAGE_BYTES)), false);
    }

    /** The last one of the peer's receives is for this. */
    private void postGrant() throws VerbsException {
        if (granted - used > 0 && posted - completed < CAPACITY) {
            int at = message();
            messages.putLong(at, (long) MessageDescriptor.GRANT << Long.SIZE - Byte.SIZE);
            messages.putLong(at + MessageDescriptor.GRANT_RECEIVES, grantAll());
            postMessage(at, MessageDescriptor.GRANT_BYTES, false);
        }
    }

    /** A connection has posted all of the memory that was lent to it. Returns the count after that. */
    long finishLent(SendSide sender) {
        lenders.addLast(sender);
        return posted;
    }

    /** A connection has posted its last message. Returns the count after it. */
    long finish(SendSide sender) {
        finished.addLast(sender);
        return posted;
    }

    /** The offset of the next message's buffer, which is free as its slot is. */
    private int message() {
        return (int) (posted % CAPACITY) * MESSAGE_BYTES;
    }

    private void postMessage(int at, int length, boolean signalNow) throws VerbsException {
        used++;
        long address = buffers.sentAddress(at / MESSAGE_BYTES);
        int inline = length <= inlineBytes ? QueuePair.INLINE : 0;
        long id = nextId();
        queuePair.postSend(id, address, length, buffers.localKey(), inline | signal(signalNow));
    }

    private long nextId() {
        return WorkRequestIds.send(tag, ++posted);
    }

    private int signal(boolean now) {
        if (now || posted - signalled >= SIGNAL_EVERY) {
            signalled = posted;
            return QueuePair.SIGNALED;
        }
        return 0;
    }
}
