/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.CLOSED;
import static io.rsockets4j.core.rdma.MessageDescriptor.FINISHED;
import static io.rsockets4j.core.rdma.MessageDescriptor.MESSAGE_BYTES;
import static io.rsockets4j.core.rdma.MessageDescriptor.RESET;

import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The send queue of a connection: posts data and messages as far as its slots and the peer's receives allow, and keeps
 * what is due until they do. Thread-safe: the sending direction, whoever polls for completions and whoever closes
 * post here, under one lock that is never held while waiting.
 *
 * <p>Credit for receives: data leaves {@link #RESERVED_RECEIVES} of the peer's receives alone, a STATE leaves one,
 * and the last one is for a STATE that grants at least half of a receive queue. So the two sides never both stand
 * without. What data can grant needs no STATE: see {@code docs/decisions/0006-verbs.md}.
 */
final class SendQueue {
    /** Slots of the send queue. */
    static final int CAPACITY = 64;
    /** Receives of the peer that data leaves alone. */
    static final int RESERVED_RECEIVES = 4;

    private static final int DATA_TYPE_SHIFT = 24; // the first byte of a message
    private static final int RESERVED_SLOTS = 4;
    private static final int GRANT_WORTH_THE_LAST = ReceiveQueue.CAPACITY / 2;
    private static final int SIGNAL_EVERY = CAPACITY / 4;

    private final QueuePair queuePair;
    private final RingSlot slot;
    private final long tag;
    private final ReceiveQueue receives;
    private final Stalls stalls;
    private final ByteBuffer messages;
    private final int inlineBytes;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private long posted; // work requests
    private long completed;
    private long signalled; // the count after the last one that was
    private long granted; // receives of the peer, since the connection began
    private long used; // of those
    private int peerReceives; // how many it keeps posted
    private long postedTail; // bytes of the stream
    private int flags;
    private boolean stateDue;
    private boolean stalled; // something is due that could not be posted, or HELLO has not come
    private boolean closed;
    private long finalCount = Long.MAX_VALUE; // the count after the last message
    private boolean immediate;
    private ArrivalRing in; // null until the peer's HELLO has come
    private long remoteAddress;
    private int remoteKey;
    private int remoteMask;
    private int maxWrite;

    private final AtomicLong tail = new AtomicLong(); // bytes accepted; written by the sending direction
    private volatile long grantedReceives; // of ours, as the peer knows; written under lock
    private int dataCredit; // what the peer's data last said of its receives; used by whoever polls

    SendQueue(QueuePair queuePair, RingSlot slot, long tag, ReceiveQueue receives, Stalls stalls) {
        this.queuePair = queuePair;
        this.slot = slot;
        this.tag = tag;
        this.receives = receives;
        this.stalls = stalls;
        messages = slot.sent();
        inlineBytes = queuePair.inlineBytes();
        stalled(true); // until the peer's HELLO brings credit
    }

    /**
     * The peer's HELLO has come.
     *
     * @param peer what it says
     * @param ringBytes how much of its ring may be written from now on
     * @param withImmediate whether both sides know immediate data
     * @param receiving what states tell of
     */
    void begin(Hello peer, int ringBytes, boolean withImmediate, ArrivalRing receiving) throws VerbsException {
        lock.lock();
        try {
            in = receiving;
            remoteAddress = peer.ringAddress();
            remoteKey = peer.ringKey();
            remoteMask = ringBytes - 1;
            peerReceives = peer.receives();
            granted = peerReceives;
            immediate = withImmediate;
            maxWrite = MirrorRing.chunkBytes(ringBytes);
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
                grantedReceives = own.receives();
                int at = message();
                postMessage(at, own.encode(messages.slice(at, MESSAGE_BYTES)), true);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- the stream

    /** More bytes are in the mirror, up to {@code newTail}. For the sending direction. */
    void accepted(long newTail) throws VerbsException {
        tail.setRelease(newTail); // pairs with postData, by whoever has the lock: this thread has it next
        lock.lock();
        try {
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes accepted since the connection began. */
    long tail() {
        return tail.get();
    }

    /** Tells the peer what was read, as soon as possible. */
    void returnCredit() throws VerbsException {
        state(0);
    }

    /** Sends this side's state with further flags, as soon as possible. */
    void state(int furtherFlags) throws VerbsException {
        lock.lock();
        try {
            flags |= furtherFlags;
            stateDue = true;
            flush();
        } finally {
            lock.unlock();
        }
    }

    // ---- credit

    /** A send has completed, and all before it. */
    void completed(int value) throws VerbsException {
        lock.lock();
        try {
            long count = completed + WorkRequestIds.distance(value, completed);
            if (count <= posted) {
                completed = count;
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The peer has granted receives, up to a count.
     *
     * @throws ProtocolException if that count cannot be
     */
    void granted(long newGranted) throws VerbsException, ProtocolException {
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
                granted(DataImmediate.receives(credit, granted));
            } finally {
                lock.unlock();
            }
        }
    }

    /** A receive was posted again: grants half a queue at a time, unless data has done so. */
    void receivePosted() throws VerbsException {
        if (receives.posted() - grantedReceives >= GRANT_WORTH_THE_LAST) {
            state(0);
        }
    }

    // ---- the end

    /** Whether the last message has been acknowledged by the peer's device, so that nothing is lost any more. */
    boolean isFinished() {
        lock.lock();
        try {
            return completed >= finalCount;
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything accepted has been acknowledged by the peer's device. */
    boolean isQuiet() {
        lock.lock();
        try {
            return closed || postedTail == tail.get() && completed == posted;
        } finally {
            lock.unlock();
        }
    }

    /** Whether this side has aborted. */
    boolean isReset() {
        lock.lock();
        try {
            return (flags & RESET) != 0;
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
            if (!closed && posted - completed < CAPACITY) {
                queuePair.postWrite(nextId(), 0, 0, slot.localKey(), remoteAddress, remoteKey, QueuePair.SIGNALED);
                signalled = posted;
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- posting, under the lock

    private void flush() throws VerbsException {
        if (closed || remoteAddress == 0) {
            return;
        }
        boolean aborted = (flags & RESET) != 0;
        if (!aborted) {
            postData();
        }
        if (stateDue) {
            postState();
        }
        stalled(stateDue || !aborted && postedTail < tail.get());
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

    private void postData() throws VerbsException {
        long end = tail.get();
        int slots = immediate ? 1 : 2;
        while (postedTail < end && granted - used > RESERVED_RECEIVES
                && posted + slots - completed <= CAPACITY - RESERVED_SLOTS) {
            int offset = (int) postedTail & remoteMask;
            int length = (int) Math.min(Math.min(end - postedTail, maxWrite), remoteMask + 1L - offset);
            postData(offset, length);
            postedTail += length;
        }
    }

    private void postData(int offset, int length) throws VerbsException {
        long from = slot.mirrorAddress() + offset;
        long to = remoteAddress + offset;
        int data = DataImmediate.of(length, grantWithData());
        int inline = length <= inlineBytes ? QueuePair.INLINE : 0;
        if (immediate) {
            used++;
            long id = nextId();
            queuePair.postWriteWithImmediate(id, from, length, slot.localKey(), to, remoteKey,
                    inline | signal(false), data);
        } else {
            queuePair.postWrite(nextId(), from, length, slot.localKey(), to, remoteKey, inline);
            int at = message();
            messages.putInt(at, MessageDescriptor.DATA << DATA_TYPE_SHIFT); // and nothing of an older message
            messages.putInt(at + MessageDescriptor.DATA_IMMEDIATE, data);
            postMessage(at, MessageDescriptor.DATA_BYTES, false);
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

    private void postState() throws VerbsException {
        long receivesPosted = receives.posted();
        long left = granted - used;
        boolean last = left == 1 && receivesPosted - grantedReceives >= GRANT_WORTH_THE_LAST;
        if (left <= 0 || left == 1 && !last || posted - completed >= CAPACITY) {
            return; // stays due
        }
        boolean drained = postedTail == tail.get();
        int now = drained || (flags & RESET) != 0 ? flags : flags & ~FINISHED;
        grantedReceives = receivesPosted;
        int at = message();
        messages.putLong(at, 0);
        messages.put(at, MessageDescriptor.STATE);
        messages.put(at + MessageDescriptor.STATE_FLAGS, (byte) now);
        messages.putLong(at + MessageDescriptor.STATE_BYTES_READ, in.sayRead());
        messages.putLong(at + MessageDescriptor.STATE_RECEIVES, receivesPosted);
        messages.putLong(at + MessageDescriptor.STATE_BYTES_SENT, postedTail);
        postMessage(at, MessageDescriptor.STATE_BYTES, flags != 0);
        stateDue = now != flags;
        if (!stateDue && (flags & CLOSED) != 0 && finalCount == Long.MAX_VALUE) {
            finalCount = posted;
        }
    }

    /** The offset of the next message's buffer, which is free as its slot is. */
    private int message() {
        return (int) (posted % CAPACITY) * MESSAGE_BYTES;
    }

    private void postMessage(int at, int length, boolean signalNow) throws VerbsException {
        used++;
        long address = slot.sentAddress(at / MESSAGE_BYTES);
        int inline = length <= inlineBytes ? QueuePair.INLINE : 0;
        long id = nextId();
        queuePair.postSend(id, address, length, slot.localKey(), inline | signal(signalNow));
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
