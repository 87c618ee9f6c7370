/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

/**
 * The sending side of a stream: decides for each piece whether it goes straight into a buffer of the peer or into its
 * ring. See the package for the whole.
 *
 * <p>The sender judges an advert once, when it comes: a stale one stays stale, and while a good one is at hand nothing
 * goes by the ring. So all adverts that wait here are of this side's phase.
 *
 * <p>No method blocks or allocates. The caller holds the lock of the sending direction in each, news from the peer
 * included.
 */
public class DirectSender {
    private final Wire wire;
    private final AdvertQueue adverts;
    private final int ringBytes;
    private long sent; // bytes of the stream
    private long ringSent; // of them by the ring
    private long acknowledged; // of them taken out of the ring
    private long phase; // even: into buffers
    private long lastPhase; // of the peer's last advert
    private long lastSequence;
    private long turns; // how often the peer may have seen an odd phase begin
    private boolean ended;

    /** What a transport does for a sender, in this order and at once. It does not call back. */
    public interface Wire {
        /**
         * Writes the next bytes of the send into a buffer of the peer, and tells it.
         *
         * @param address where, as in the advert
         * @param key by which right, as in the advert
         * @param length bytes, at least one
         */
        void writeBuffer(long address, long key, int length);

        /**
         * Writes the next bytes of the send into the peer's ring, and tells it.
         *
         * @param position bytes that went into the ring before
         * @param length bytes, at least one
         */
        void writeRing(long position, int length);

        /** Tells the peer that no advert from before its {@link DirectReceiver.Wire#withdraw} is used any more. */
        void withdrawn();

        /**
         * Tells the peer that no byte follows.
         *
         * @param total bytes of the stream
         */
        void end(long total);
    }

    /**
     * Creates the sender of a new stream.
     *
     * @param wire the way to the peer
     * @param ringBytes size of the peer's ring; 0 for none: then bytes wait for adverts
     * @param maxAdverts how many receives the peer may have pending
     */
    public DirectSender(Wire wire, int ringBytes, int maxAdverts) {
        this.wire = wire;
        this.ringBytes = ringBytes;
        adverts = new AdvertQueue(maxAdverts);
    }

    /**
     * Sends a piece of what a program wants to send, as far as there is a buffer or room for it.
     *
     * @param wanted bytes, zero or more
     * @return the bytes sent, by one write; 0 if only news from the peer can help
     */
    public final int send(int wanted) {
        int length;
        if (wanted == 0 || ended) {
            return 0;
        } else if (adverts.count() > 0) {
            length = Math.min(wanted, adverts.length());
            wire.writeBuffer(adverts.address(), adverts.key(), length);
            adverts.fill(length);
        } else {
            length = Math.min(wanted, credit());
            if (length == 0) {
                return 0;
            }
            byRing(length);
        }
        sent += length;
        return length;
    }

    private void byRing(int length) {
        phase |= 1;
        turns++;
        wire.writeRing(ringSent, length);
        ringSent += length;
    }

    /**
     * Whether {@link #send} would send something.
     *
     * @return false also after the end
     */
    public final boolean ready() {
        return !ended && (adverts.count() > 0 || credit() > 0);
    }

    /**
     * Whether the next bytes go straight into a buffer.
     *
     * @return false if they go by the ring, or wait
     */
    public final boolean isDirect() {
        return !ended && adverts.count() > 0;
    }

    /**
     * Uses no advert that has come, and none that the peer makes before it sees bytes in its ring: as if those had been
     * sent before the adverts came.
     */
    public final void decline() {
        adverts.clear();
        phase |= 1;
    }

    /** Ends the stream behind what was sent; adverts are let go. Idempotent. */
    public final void end() {
        if (!ended) {
            ended = true;
            adverts.clear();
            wire.end(sent);
        }
    }

    /**
     * The peer offers a buffer.
     *
     * @param advertPhase the peer's phase
     * @param sequence count of the stream's first byte that the buffer is for, as far as the peer knows
     * @param address of the buffer's first byte
     * @param key the right to write there
     * @param length bytes
     * @param waitAll whether the buffer stays offered until it is full
     * @throws DirectCorruptedException if a value cannot be
     */
    public final void advert(long advertPhase, long sequence, long address, long key, int length, boolean waitAll)
            throws DirectCorruptedException {
        check("advertised phase", advertPhase, lastPhase, 2 * turns);
        check("advertised phase's lowest bit", advertPhase & 1, 0, 0);
        check("advertised sequence", sequence, advertPhase == lastPhase ? lastSequence : 0, Long.MAX_VALUE);
        check("advertised length", length, 1, Integer.MAX_VALUE);
        check("advertised address", address, 0, Long.MAX_VALUE - length);
        lastPhase = advertPhase;
        lastSequence = sequence + 1;
        if (!ended && taken(advertPhase, sequence)) {
            check("number of adverts", adverts.count() + 1L, 1, adverts.capacity());
            adverts.add(address, key, length, waitAll);
        }
    }

    /** Whether an advert is to be used. If so, this side's phase is the advert's from now on. */
    private boolean taken(long advertPhase, long sequence) throws DirectCorruptedException {
        if ((phase & 1) == 0) {
            check("advertised phase", advertPhase, phase, phase);
            return true;
        }
        if (isStale(advertPhase, sequence)) {
            phase = phaseAfterStale(advertPhase);
            return false;
        }
        check("advertised sequence", sequence, 0, sent);
        phase = advertPhase;
        return true;
    }

    /** Whether the peer made an advert before it knew of bytes that went by the ring. */
    boolean isStale(long advertPhase, long sequence) {
        return advertPhase < phase || sequence < sent;
    }

    /** This side's phase after a stale advert: the rest of that one's phase is stale too, whatever its sequences. */
    long phaseAfterStale(long advertPhase) {
        return Math.max(phase, advertPhase + 1);
    }

    /**
     * The peer has taken bytes out of its ring.
     *
     * @param total all since the stream began
     * @throws DirectCorruptedException if it is less than before, or more than went there
     */
    public final void acknowledged(long total) throws DirectCorruptedException {
        check("acknowledged bytes", total, acknowledged, ringSent);
        acknowledged = total;
    }

    /**
     * The peer takes all of its adverts back. This is confirmed at once, behind what was written into them.
     *
     * @param ofPhase the phase of its last adverts
     * @throws DirectCorruptedException if it is another
     */
    public final void withdraw(long ofPhase) throws DirectCorruptedException {
        check("withdrawn phase", ofPhase, lastPhase, lastPhase);
        if (!ended) {
            adverts.clear();
            phase = Math.max(phase, ofPhase + 1);
            turns++;
            wire.withdrawn();
        }
    }

    /**
     * Free bytes of the peer's ring.
     *
     * @return from 0 to the ring's size
     */
    public final int credit() {
        return ringBytes - (int) (ringSent - acknowledged);
    }

    /**
     * Bytes sent since the stream began.
     *
     * @return both ways together
     */
    public final long sent() {
        return sent;
    }

    /**
     * Bytes that went straight into buffers.
     *
     * @return since the stream began
     */
    public final long sentDirectly() {
        return sent - ringSent;
    }

    final long phase() {
        return phase;
    }

    static void check(String what, long value, long min, long max) throws DirectCorruptedException {
        if (value < min || value > max) {
            throw new DirectCorruptedException(what, value, min, max);
        }
    }
}
