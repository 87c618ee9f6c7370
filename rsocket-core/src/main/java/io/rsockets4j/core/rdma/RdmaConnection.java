/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.CLOSED;
import static io.rsockets4j.core.rdma.MessageDescriptor.FINISHED;
import static io.rsockets4j.core.rdma.MessageDescriptor.RESET;

import io.rsockets4j.core.direct.Advert;
import io.rsockets4j.core.direct.DirectCorruptedException;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection of a session: its number, its rings, and what the peer has told of it. Served by its session, on the
 * thread that polls. Once both sides have opened it a {@link Link} is rung; until then {@link #opened} waits.
 */
final class RdmaConnection {
    private static final Log LOG = Log.of(RdmaConnection.class);
    private static final IOException MISTAKE = new IOException("an error while a message was served");

    /** A bit of the state, besides the flags of the peer's STATE: the session has ended, as its peer has. */
    private static final int GONE = 8;

    /** Another one: the connection is of no use any more. */
    private static final int FAILED = 16;

    /** The flags of a connect that was given up. */
    static final int GIVEN_UP = CLOSED | RESET;

    private final RdmaSession session;
    private final int number;
    private final int maxRingBytes;
    private final RingSlot slot; // small, from the beginning
    private volatile RingSlot larger; // once data needs it; written under the session's lock
    private final SendSide out;
    private final Outcome<RdmaConnection> opened = new Outcome<>();
    private final Sleepers.Mark sleepers = new Sleepers.Mark();
    private final AtomicInteger state = new AtomicInteger();
    private final AtomicBoolean freed = new AtomicBoolean();
    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile boolean asked; // the peer, who is to answer
    private volatile IOException failure; // written before FAILED
    private volatile ReceiveSide in; // null until both sides have opened it
    private volatile Outcome<RdmaConnection> withdrawal; // of a buffer; null while this side has not asked for it
    private volatile Outcome<RdmaConnection> acknowledgement; // of what was lent; null while nobody waits for it
    private volatile Link link; // set once
    private volatile Runnable whenOver; // the link is closed: what to do once nothing is left to deliver

    /**
     * Creates one that the peer has not opened.
     *
     * @param session serves it
     * @param number that both sides call it by
     * @param slot its memory
     * @param maxRingBytes how large its rings may become
     * @param sends of the session
     */
    RdmaConnection(RdmaSession session, int number, RingSlot slot, int maxRingBytes, SendQueue sends) {
        this.session = session;
        this.number = number;
        this.slot = slot;
        this.maxRingBytes = maxRingBytes;
        out = new SendSide(sends, this, maxRingBytes);
    }

    RdmaSession session() {
        return session;
    }

    int number() {
        return number;
    }

    RingSlot slot() {
        return slot;
    }

    /** For the poller: whether someone sleeps until this connection brings something. */
    Sleepers.Mark sleepers() {
        return sleepers;
    }

    /** The memory that data needed beyond the first; null if there is none. */
    RingSlot larger() {
        return larger;
    }

    ReceiveSide in() {
        return in;
    }

    SendSide out() {
        return out;
    }

    // ---- the beginning

    /** The peer has given its ring. On the thread that polls, before the peer's next message is served. */
    void begin(RemoteRing peerRing) {
        int ringBytes = Math.min(peerRing.bytes(), slot.ring().capacity());
        ReceiveSide receiving = new ReceiveSide(slot.ring().slice(0, ringBytes));
        out.begin(peerRing, ringBytes, receiving);
        in = receiving;
    }

    /** This side asks the peer for the connection. */
    void ask(OutgoingMessage message) throws VerbsException {
        asked = true;
        try {
            out.open(message, true);
        } catch (VerbsException e) {
            if (session.fail(e)) {
                throw e;
            }
        }
    }

    /** Whether this side waits for the peer's answer. */
    boolean isAsked() {
        return asked && in == null;
    }

    /** The peer does not want it. */
    void refused(int reason) {
        asked = false;
        opened.fail(RefusedException.of(reason));
        if (freed.compareAndSet(false, true)) {
            session.free(this);
        }
    }

    /** Completed when the peer has opened this connection, for whoever connects. */
    Outcome<RdmaConnection> opened() {
        return opened;
    }

    /** From now on this link is rung. What was served meanwhile it sees when it looks. */
    void attach(Link newLink) {
        link = newLink; // volatile store, then the ring: a completion served in between is seen by one of the two
        newLink.wake();
    }

    // ---- what the peer has told

    boolean isPeerFinished() {
        return has(FINISHED);
    }

    boolean isPeerReset() {
        return has(RESET);
    }

    /** Whether the peer reads no more, or is not there any more. */
    boolean isPeerClosed() {
        return has(CLOSED | GONE);
    }

    boolean isGone() {
        return has(GONE);
    }

    /** Whether the peer has sent the last message of this connection. */
    boolean hasLastState() {
        return has(CLOSED);
    }

    private boolean has(int bits) {
        return (state.get() & bits) != 0;
    }

    private void add(int bits) {
        state.getAndUpdate(before -> before | bits);
    }

    /** Why this connection is of no use any more, or null. */
    IOException failure() {
        return has(FAILED) ? failure : null;
    }

    // ---- another link

    /** Whether the peer has been asked for a buffer. */
    boolean isWithdrawing() {
        return withdrawal != null;
    }

    /** The link has gone, and nobody polls for this connection: what needed it has ended. Under the queue's lock. */
    void interrupted() {
        ReceiveSide receiving = in;
        if (receiving != null) {
            receiving.endDirect();
        }
        Outcome<RdmaConnection> asked = withdrawal;
        if (asked != null) {
            withdrawal = null;
            asked.complete(this);
        }
    }

    /** Rings whoever waits, as the connection is served elsewhere from now on. */
    void ring() {
        Link rung = link;
        if (rung != null) {
            try {
                rung.wake();
            } catch (Throwable e) {
                OwnThreads.report(LOG, "rsockets4j: an RDMA connection is reset after an error", e);
                fail(MISTAKE);
            }
        }
    }

    /** The session goes on over another link: memory that was lent may have arrived before. */
    void resumed() {
        Outcome<RdmaConnection> awaited = acknowledgement;
        if (awaited != null && out.isLentAcknowledged()) {
            awaited.complete(this);
        }
        checkOver();
        ring();
    }

    /** The session goes on over another link, but this connection does not. */
    void lost() {
        if (in == null) {
            refused(Hello.REFUSED_LISTENER);
        } else if (out.isClosed()) { // the peer has freed the number, and so has had this side's last message
            add(CLOSED);
            Runnable action = whenOver;
            if (action != null) {
                action.run();
            }
            if (freed.compareAndSet(false, true)) {
                session.free(this);
            }
        } else {
            fail(new IOException("bytes were lost when a link of the RDMA session failed"));
        }
    }

    // ---- buffers of this side, by the receiving direction

    /** Whether the peer can be told of a buffer now. */
    boolean takesAdverts() {
        return session.takesAdverts() && withdrawal == null && mayWriteDirectly();
    }

    /** Whether more bytes of the peer's can come. */
    boolean mayWriteDirectly() {
        return !has(FINISHED | RESET | CLOSED | GONE | FAILED);
    }

    /**
     * Asks the peer to let go of the buffer that it may write to.
     *
     * @return completed when it has, or nothing more can come
     */
    Outcome<RdmaConnection> withdraw() throws VerbsException {
        Outcome<RdmaConnection> asked = new Outcome<>();
        withdrawal = asked; // volatile store, then the look: pairs with whoever serves the end
        if (mayWriteDirectly()) {
            out.withdraw();
        } else {
            asked.complete(this);
        }
        return asked;
    }

    /**
     * For the sending direction, which has lent memory of the program's.
     *
     * @return completed when the peer's device has all of it, or nothing is sent any more
     */
    Outcome<RdmaConnection> awaitLent() {
        Outcome<RdmaConnection> awaited = new Outcome<>();
        acknowledgement = awaited; // volatile store, then the look: pairs with acknowledged and tellOfTheEnd
        if (out.isLentAcknowledged() || has(FAILED | GONE)) {
            awaited.complete(this);
        }
        return awaited;
    }

    /** The peer's device has all of the memory that was lent. On the thread that polls. */
    void acknowledged() {
        Outcome<RdmaConnection> awaited = acknowledgement;
        if (awaited != null && out.isLentAcknowledged()) {
            awaited.complete(this);
        }
        wake();
    }

    // ---- messages, on the thread that polls

    /**
     * Bytes were written to the ring.
     *
     * @param large whether they came among large writes
     */
    void data(int length, boolean large) throws ProtocolException, DirectCorruptedException {
        ReceiveSide receiving = in;
        if (receiving == null || has(FINISHED | CLOSED)) {
            throw new ProtocolException("DATA of " + length + " bytes "
                    + (receiving == null ? "before it was asked for" : "after the end"));
        }
        receiving.arrived(length, large);
    }

    /**
     * Bytes were written to the buffer that this side has advertised.
     *
     * @return whether they can be read now
     */
    boolean directData(int length, boolean last) throws ProtocolException, DirectCorruptedException {
        ReceiveSide receiving = in;
        if (receiving == null || has(FINISHED | CLOSED)) {
            throw new ProtocolException("direct DATA of " + length + " bytes while nothing can come");
        }
        return receiving.arrivedDirectly(length, last);
    }

    /** The peer offers a buffer. */
    void advert(ByteBuffer message) throws ProtocolException, DirectCorruptedException {
        if (in == null || has(CLOSED)) {
            throw new ProtocolException("ADVERT for connection " + number + ", which is not open");
        }
        out.advertisedByPeer(message.getLong(MessageDescriptor.ADVERT_BYTES_READ),
                new Advert(message.getLong(MessageDescriptor.ADVERT_RING_BYTES),
                        message.getLong(MessageDescriptor.ADVERT_ADDRESS),
                        message.getInt(MessageDescriptor.ADVERT_LENGTH), message.getInt(MessageDescriptor.ADVERT_KEY),
                        (message.get(MessageDescriptor.ADVERT_FLAGS) & MessageDescriptor.WAIT_ALL) != 0));
    }

    /** The peer uses no buffer of this side's any more. */
    void withdrawn() throws ProtocolException, DirectCorruptedException {
        Outcome<RdmaConnection> asked = withdrawal;
        if (asked == null) {
            throw new ProtocolException("WITHDRAWN for connection " + number + ", which nobody asked for");
        }
        in.endPart();
        withdrawal = null;
        asked.complete(this);
    }

    /** The peer's state. */
    void state(ByteBuffer message) throws ProtocolException, DirectCorruptedException {
        if (isAsked()) {
            throw new ProtocolException("STATE for connection " + number + " before ACCEPT");
        }
        int flags = message.get(MessageDescriptor.STATE_FLAGS) & (FINISHED | RESET | CLOSED);
        long sent = message.getLong(MessageDescriptor.STATE_BYTES_SENT);
        if (in != null) {
            out.readByPeer(message.getLong(MessageDescriptor.STATE_BYTES_READ));
        }
        boolean ends = (flags & FINISHED) != 0 && (flags & RESET) == 0;
        if (ends && in != null) {
            in.endPart();
        }
        if (ends && sent != (in == null ? 0 : in.arrived())) {
            throw new ProtocolException("STATE ends the stream after " + sent + " bytes, but other bytes came");
        }
        add(ends ? flags : flags & ~FINISHED);
        Outcome<RdmaConnection> asked = withdrawal;
        if (asked != null && !mayWriteDirectly()) { // volatile store, then the load: pairs with withdraw
            asked.complete(this);
        }
    }

    /** Rings whoever waits for this connection. An error of theirs costs them this connection, and nobody else. */
    void wake() {
        Link rung = link;
        if (rung != null) {
            try {
                rung.wake();
                session.poller().rung(sleepers);
            } catch (Throwable e) {
                OwnThreads.report(LOG, "rsockets4j: an RDMA connection is reset after an error", e);
                fail(MISTAKE);
            }
        }
    }

    // ---- larger rings

    /**
     * Memory for larger rings, of both directions: the sending one may stage bytes for a ring of the peer there, and
     * the peer may write there. Any thread.
     *
     * @param bytes of each
     * @return null if there is none now
     */
    RingSlot larger(int bytes) {
        if (larger == null) {
            session.takeLarger(this, bytes);
        }
        RingSlot known = larger;
        return known == null || known.ring().capacity() < bytes ? null : known;
    }

    /** The session has taken memory for larger rings. Under its lock. */
    void setLarger(RingSlot taken) {
        larger = taken;
    }

    /** The peer has more to send than the ring holds. Where no memory is left it hears nothing, and asks again. */
    void moreIsWanted(int peerMaxBytes) throws IOException {
        ReceiveSide receiving = opened("MORE");
        if (peerMaxBytes <= 0 || Integer.bitCount(peerMaxBytes) != 1) {
            throw new ProtocolException("MORE of " + peerMaxBytes + " bytes");
        }
        int bytes = Math.min(peerMaxBytes, maxRingBytes);
        boolean mayGrow = bytes > slot.ring().capacity() && !receiving.hasMoved() && !has(CLOSED) && whenOver == null;
        RingSlot memory = mayGrow ? larger(bytes) : null;
        if (memory != null) {
            receiving.offer(memory.ring().slice(0, bytes));
            RemoteRing ring = new RemoteRing(memory.forPeer().address(), bytes, memory.forPeer().key());
            out.offer(ring);
        }
    }

    /** The peer offers a larger ring. Whoever waits to write may go on. */
    void ringIsOffered(RemoteRing ring) throws ProtocolException {
        opened("RING");
        ring.check("RING");
        out.offered(ring);
    }

    /** The peer writes to the larger ring from now on. */
    void moved(long from) throws ProtocolException {
        opened("MOVE").moved(from);
    }

    private ReceiveSide opened(String what) throws ProtocolException {
        ReceiveSide receiving = in;
        if (receiving == null) {
            throw new ProtocolException(what + " before the connection is open");
        }
        return receiving;
    }

    // ---- the end

    /** The connection is of no use any more. Any thread. */
    void fail(IOException cause) {
        if (has(FAILED | GONE)) {
            return;
        }
        failure = cause;
        add(FAILED);
        tellOfTheEnd(cause);
    }

    /** The session has ended, as its peer has. */
    void gone(IOException cause) {
        ReceiveSide receiving = in;
        if (receiving != null && receiving.isPartly()) {
            session.poller().whileNobodyPolls(receiving::endDirect); // before the flag, which is looked at first
        }
        add(GONE);
        tellOfTheEnd(cause);
    }

    private void tellOfTheEnd(IOException cause) {
        try {
            opened.fail(cause);
            Outcome<RdmaConnection> asked = withdrawal;
            if (asked != null) {
                asked.complete(this);
            }
            Outcome<RdmaConnection> awaited = acknowledgement;
            if (awaited != null) {
                awaited.complete(this);
            }
            Link rung = link;
            if (rung != null) {
                rung.wake();
            }
            checkOver();
        } catch (Throwable e) { // nobody who ends many connections must stop at this one
            OwnThreads.report(LOG, "rsockets4j: an RDMA connection could not be ended", e);
        }
    }

    /** The connect was given up: tells the peer, whatever it answers. */
    void abandon() {
        try {
            out.state(GIVEN_UP);
        } catch (VerbsException e) {
            session.fail(e);
        }
        whenOver(() -> { });
    }

    /** The link is closed: runs an action, once or more often, when nothing is left to deliver. */
    void whenOver(Runnable action) {
        whenOver = action; // volatile store, then the look: pairs with checkOver after the peer's news
        checkOver();
    }

    /** Looks whether this connection is over, and whether the peer has no more use for its memory and number. */
    void checkOver() {
        Runnable action = whenOver;
        if (action == null) {
            return;
        }
        boolean ended = has(GONE | FAILED);
        boolean finished = out.isFinished();
        if (ended || finished && (has(CLOSED) || out.isReset())) {
            action.run();
        }
        if (finished && has(CLOSED) && out.isOver() && freed.compareAndSet(false, true)) {
            session.free(this);
        }
    }

    /**
     * The initiator uses the number again: so it has had this side's last message, whether or not the device has said
     * so yet. On the thread that polls.
     *
     * @return false if this side has not sent its last message, or the peer has not
     */
    boolean giveUpNumber() {
        if (!has(CLOSED) || !out.isLastPosted()) {
            return false;
        }
        if (freed.compareAndSet(false, true)) {
            session.free(this);
        }
        return true;
    }

    /** Whoever has the ring next must not be able to read what came for this connection. */
    void clear() {
        ReceiveSide receiving = in;
        // of a stream that did not end, more may have been written than was announced
        long written = receiving != null && isPeerFinished() ? receiving.arrived() : Long.MAX_VALUE;
        clear(slot, written);
        RingSlot second = larger;
        if (second != null) {
            clear(second, written);
        }
    }

    private static void clear(RingSlot slot, long bytes) {
        slot.clear((int) Math.min(bytes, slot.ring().capacity()));
    }

    /** Whether the peer's host is to be asked for signs of life. */
    void keepAlive(boolean on) {
        if (watched.compareAndSet(!on, on)) {
            session.keepAlive(on);
        }
    }
}
