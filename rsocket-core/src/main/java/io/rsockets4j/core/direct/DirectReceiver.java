/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static io.rsockets4j.core.direct.PendingReceives.CANCELLED;
import static io.rsockets4j.core.direct.PendingReceives.DIRECT;
import static io.rsockets4j.core.direct.PendingReceives.NOT_ADVERTISED;
import static io.rsockets4j.core.direct.PendingReceives.WAIT_ALL;

/**
 * The receiving side of a stream: advertises the buffers of receives that wait, copies what came by the ring, and ends
 * receives in order. See the package for the whole.
 *
 * <p>A receive whose advert the peer may still use ends only once it is full, or the peer has confirmed that it uses it
 * no more: no byte lands in a buffer whose receive has ended. Adverts of an earlier phase are dead, as the peer was in
 * a later one before it told of the bytes that ended theirs.
 *
 * <p>No method blocks or allocates. The caller holds the lock of the receiving direction in each, news from the peer
 * included.
 */
public final class DirectReceiver {
    private final Wire wire;
    private final PendingReceives pending;
    private final int ringBytes;
    private long delivered; // bytes of the stream, to receives
    private long ringTaken; // bytes of the stream, out of the ring
    private int buffered; // bytes in the ring
    private long phase; // even: adverts of this phase may be in use
    private long renewAt; // delivered bytes before adverts are made anew
    private boolean withdrawing;
    private boolean held;
    private boolean ended;
    private boolean shut;

    /** What a transport does for a receiver, in this order and at once. It does not call back. */
    public interface Wire {
        /**
         * Tells the peer of a buffer that it may fill.
         *
         * @param phase this side's phase
         * @param sequence count of the stream's first byte that it is for, as far as known
         * @param id the receive
         * @param offset where in the receive's buffer the first byte goes
         * @param length bytes that it takes
         * @param waitAll whether it stays offered until it is full
         */
        void advertise(long phase, long sequence, long id, int offset, int length, boolean waitAll);

        /**
         * Tells the peer how many bytes left the ring.
         *
         * @param total all since the stream began
         */
        void acknowledge(long total);

        /**
         * Asks the peer to use no advert that it has, and to confirm that.
         *
         * @param phase this side's phase
         */
        void withdraw(long phase);

        /**
         * Copies bytes out of the ring into a receive's buffer.
         *
         * @param position bytes that left the ring before
         * @param id the receive
         * @param offset where in its buffer
         * @param length bytes, at least one
         */
        void copy(long position, long id, int offset, int length);

        /**
         * A receive has ended; nothing is written to its buffer any more.
         *
         * @param id the receive
         * @param bytes how many it got
         * @param ending why
         */
        void completed(long id, int bytes, Ending ending);
    }

    /** Why a receive has ended. */
    public enum Ending {
        /** It got what it waited for. */
        DATA,
        /** The stream has ended; one that waits for all may have got a part. */
        END,
        /** It was taken back; one that waits for all may have got a part. */
        CANCELLED
    }

    /**
     * Creates the receiver of a new stream.
     *
     * @param wire the way to the peer and to the program
     * @param ringBytes size of this side's ring; 0 for none
     * @param maxReceives how many receives may be pending; the peer knows
     */
    public DirectReceiver(Wire wire, int ringBytes, int maxReceives) {
        this.wire = wire;
        this.ringBytes = ringBytes;
        pending = new PendingReceives(maxReceives);
    }

    /**
     * Adds a receive. {@link #drain} serves it, if bytes wait in the ring.
     *
     * @param id the caller's name for it, unlike that of any other that is pending
     * @param length of its buffer in bytes, at least one
     * @param waitAll whether it ends only once it is full
     * @param direct whether the peer may write to the buffer; if not, the bytes come by the ring
     * @return false, and nothing has happened, if too many are pending, or after {@link #shutdown}
     */
    public boolean receive(long id, int length, boolean waitAll, boolean direct) {
        if (shut || pending.isFull()) {
            return false;
        }
        pending.add(id, length, (waitAll ? WAIT_ALL : 0) | (direct ? DIRECT : 0));
        advertise();
        return true;
    }

    /**
     * Keeps this side from advertising, or advertises what can be: where it is known that bytes are on their way by the
     * ring, adverts would only be stale, and there are times when none can be sent.
     *
     * @param on whether none is to be made
     */
    public void hold(boolean on) {
        held = on;
        advertise();
    }

    /** Advertises all that wait, if their first bytes are known: nothing is in the ring, nor dead before them. */
    private void advertise() {
        if (held || buffered > 0 || withdrawing || ended || !deadAreGone()) {
            return;
        }
        for (int i = 0; i < pending.count(); i++) {
            if (pending.phase(i) != NOT_ADVERTISED) {
                continue;
            }
            if (!pending.is(i, DIRECT)) {
                return; // where the next ones begin is not known
            }
            phase += phase & 1;
            long sequence = delivered + pending.promised();
            pending.advertise(i, phase);
            wire.advertise(phase, sequence, pending.id(i), pending.filled(i), pending.remaining(i),
                    pending.is(i, WAIT_ALL));
        }
    }

    /**
     * Whether no pending receive was advertised in an earlier phase. Those end soon by the ring, each with one byte or
     * more; but one that waits for all could keep the stream on the ring for long, so all are advertised anew then, at
     * most once in half a ring.
     */
    private boolean deadAreGone() {
        if (pending.count() == 0 || pending.phase(0) == NOT_ADVERTISED || pending.phase(0) == phase) {
            return true;
        }
        if (!pending.is(0, WAIT_ALL) || delivered < renewAt) {
            return false;
        }
        renewAt = delivered + ringBytes / 2;
        pending.forgetAdverts();
        return true;
    }

    /**
     * The peer has written into the oldest receive's buffer.
     *
     * @param length bytes
     * @throws DirectCorruptedException if it could not
     */
    public void directArrived(int length) throws DirectCorruptedException {
        boolean offered = !ended && pending.count() > 0 && pending.phase(0) == phase;
        DirectSender.check("length of a direct write", length, 1, offered ? pending.remaining(0) : 0);
        delivered += length;
        if (pending.fill(length)) {
            complete(0, Ending.DATA);
        }
    }

    /**
     * The peer has written into the ring. {@link #drain} gives it to receives.
     *
     * @param length bytes
     * @throws DirectCorruptedException if there was no room
     */
    public void ringArrived(int length) throws DirectCorruptedException {
        DirectSender.check("length of a write to the ring", length, 1, ended ? 0 : ringBytes - buffered);
        buffered += length;
        endPhase();
    }

    /** Adverts of a phase that was even are dead now, so those that were taken back end. */
    private void endPhase() {
        phase |= 1;
        if (withdrawing) {
            int i = 0;
            while (i < pending.count()) {
                if (pending.is(i, CANCELLED)) {
                    complete(i, Ending.CANCELLED);
                } else {
                    i++;
                }
            }
        }
    }

    private void complete(int index, Ending ending) {
        long id = pending.id(index);
        int bytes = pending.filled(index);
        pending.remove(index);
        wire.completed(id, bytes, ending);
    }

    /** Gives what is in the ring to receives that wait, returns its room to the peer, and advertises what can be. */
    public void drain() {
        int before = buffered;
        while (buffered > 0 && pending.count() > 0) {
            copy(Math.min(buffered, pending.remaining(0)));
        }
        if (shut) {
            forget();
        }
        if (buffered < before && !ended) {
            wire.acknowledge(ringTaken);
        }
        if (ended && buffered == 0) {
            endAll();
        } else {
            advertise();
        }
    }

    private void copy(int length) {
        wire.copy(ringTaken, pending.id(0), pending.filled(0), length);
        taken(length);
        if (pending.fill(length)) {
            complete(0, Ending.DATA);
        }
    }

    private void taken(int length) {
        ringTaken += length;
        buffered -= length;
        delivered += length;
    }

    private void forget() {
        if (buffered > 0) {
            taken(buffered);
        }
    }

    private void endAll() {
        while (pending.count() > 0) {
            complete(0, Ending.END);
        }
    }

    /**
     * Takes a receive back. It ends at once, or once the peer has confirmed that it writes there no more; bytes that
     * come before count.
     *
     * @param id the receive
     * @return false if it is not pending
     */
    public boolean cancel(long id) {
        int index = pending.indexOf(id);
        if (index < 0) {
            return false;
        }
        takeBack(index);
        advertise();
        return true;
    }

    /** Ends a receive, and returns true; or asks the peer to let go of it first. */
    private boolean takeBack(int index) {
        if (pending.phase(index) != phase) {
            complete(index, Ending.CANCELLED);
            return true;
        }
        pending.cancel(index);
        if (!withdrawing) {
            withdrawing = true;
            wire.withdraw(phase);
        }
        return false;
    }

    /**
     * The peer uses no advert that was made before {@link Wire#withdraw}.
     *
     * @throws DirectCorruptedException if nobody asked
     */
    public void withdrawn() throws DirectCorruptedException {
        DirectSender.check("confirmations of a withdrawal", 1, 0, withdrawing && !ended ? 1 : 0);
        endPhase();
        withdrawing = false;
        pending.forgetAdverts();
        advertise();
    }

    /**
     * The peer has sent everything. Receives that wait end once {@link #drain} has given them what is in the ring.
     *
     * @param total bytes of the stream
     * @throws DirectCorruptedException if it is not what has come
     */
    public void ended(long total) throws DirectCorruptedException {
        DirectSender.check("bytes of the stream", total, delivered + buffered, ended ? -1 : delivered + buffered);
        ended = true;
        endPhase();
        withdrawing = false;
    }

    /**
     * Takes all receives back; there are no others after it. What still comes by the ring is forgotten by {@link
     * #drain}.
     */
    public void shutdown() {
        shut = true;
        int i = 0;
        while (i < pending.count()) {
            if (!takeBack(i)) {
                i++;
            }
        }
    }

    /**
     * Bytes delivered since the stream began.
     *
     * @return both ways together; after a shutdown those forgotten as well
     */
    public long delivered() {
        return delivered;
    }

    /**
     * Bytes that wait in the ring.
     *
     * @return zero or more
     */
    public int buffered() {
        return buffered;
    }
}
