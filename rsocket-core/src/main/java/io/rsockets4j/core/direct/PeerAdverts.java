/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static io.rsockets4j.core.direct.DirectCorruptedException.check;

/**
 * The sender's side of a stream's adverts: the buffers of the peer that wait, and which pieces of the stream go there.
 * What no piece covers goes by the ring.
 *
 * <p>The sender calls {@link #take} when it knows that it has bytes, and asks by their position where they go when it
 * writes them. The two need not be at the same time. A buffer is of use while the sender has sent by the ring what the
 * receiver had taken out of it, and no more: see the package.
 *
 * <p>The caller holds the lock of the sending direction in each method but {@link #isHeld}.
 */
public class PeerAdverts {
    private static final int MAX_PIECES = 2 * OwnAdverts.MAX;

    /** Bytes of the stream that go to a buffer. */
    private static final class Piece {
        long begin;
        long end;
        long to;
        int toKey;
        long from;
        int fromKey;
        boolean last; // of its advert
    }

    private Advert[] adverts; // null before the first one
    private int firstAdvert;
    private int advertCount;
    private int firstTaken; // bytes of the first one that are taken
    private long room; // bytes that the adverts take
    private Piece[] pieces; // null before the first one
    private int firstPiece;
    private int pieceCount;
    private long lastRingBytes; // of the last advert
    private long begin; // position where counting began
    private long direct; // bytes that are taken since
    private volatile boolean held; // written under the lock

    /**
     * Whether there may be a buffer of use. Any thread.
     *
     * @return a hint
     */
    public final boolean isHeld() {
        return held;
    }

    /**
     * The peer offers a buffer. Nothing of it is believed: where nothing is, the peer's device refuses.
     *
     * @param advert what the peer says
     * @param accepted the stream's bytes so far, straight ones and those by the ring
     * @throws DirectCorruptedException if that cannot be
     */
    public final void hold(Advert advert, long accepted) throws DirectCorruptedException {
        check("advertised length", advert.length(), 1, Integer.MAX_VALUE);
        check("advertised address", advert.address(), 1, Long.MAX_VALUE - advert.length());
        check("advertised count of the ring's bytes", advert.ringBytes(), lastRingBytes, accepted - begin - direct);
        if (advert.ringBytes() > lastRingBytes) {
            dropAdverts(); // the peer has forgotten them as well
        }
        check("number of adverts", advertCount + 1L, 1, OwnAdverts.MAX);
        lastRingBytes = advert.ringBytes();
        if (adverts == null) {
            adverts = new Advert[OwnAdverts.MAX];
        }
        adverts[(firstAdvert + advertCount) % adverts.length] = advert;
        advertCount++;
        room += advert.length();
        held = true;
    }

    private void dropAdverts() {
        while (advertCount > 0) {
            dropAdvert();
        }
        room = 0;
    }

    private void dropAdvert() {
        adverts[firstAdvert] = null;
        firstAdvert = (firstAdvert + 1) % adverts.length;
        advertCount--;
        firstTaken = 0;
        held = advertCount > 0;
    }

    /** Whether an advert may be used where so many bytes have gone by the ring. */
    boolean isGood(Advert advert, long ringSent) {
        return advert.ringBytes() == ringSent;
    }

    /** Whether there is one of use for the byte of a position; those that are stale are dropped. */
    private boolean isOfUse(long position) {
        if (advertCount == 0) {
            return false;
        }
        long ringSent = position - begin - direct;
        boolean good = isGood(adverts[firstAdvert], ringSent); // all others are of the same count
        if (!good && lastRingBytes < ringSent) {
            dropAdverts();
        }
        return good;
    }

    /**
     * How many bytes may go straight.
     *
     * @param position of the first of them, which is the next that is sent
     * @return 0 for none
     */
    public final long room(long position) {
        return isOfUse(position) ? room : 0;
    }

    /**
     * Decides that the next bytes go to the oldest buffers, as many as fit.
     *
     * @param position of the first of them, which is the next that is sent
     * @param wanted how many there are, at least one
     * @param from address of the first of them
     * @param fromKey the device's key for that address
     * @return how many go there; the others go by the ring
     */
    public final int take(long position, int wanted, long from, int fromKey) {
        int taken = 0;
        while (taken < wanted && pieceCount < MAX_PIECES && isOfUse(position + taken)) {
            taken += takeOldest(position + taken, wanted - taken, from + taken, fromKey);
        }
        return taken;
    }

    private int takeOldest(long position, int wanted, long from, int fromKey) {
        Advert advert = adverts[firstAdvert];
        int left = advert.length() - firstTaken;
        int taken = Math.min(wanted, left);
        boolean ends = !advert.waitAll() || taken == left;
        Piece piece = add();
        piece.begin = position;
        piece.end = position + taken;
        piece.to = advert.address() + firstTaken;
        piece.toKey = advert.key();
        piece.from = from;
        piece.fromKey = fromKey;
        piece.last = ends;
        direct += taken;
        room -= ends ? left : taken;
        if (ends) {
            dropAdvert();
        } else {
            firstTaken += taken;
        }
        return taken;
    }

    private Piece add() {
        if (pieces == null) {
            pieces = new Piece[MAX_PIECES];
        }
        int at = (firstPiece + pieceCount++) % MAX_PIECES;
        if (pieces[at] == null) {
            pieces[at] = new Piece();
        }
        return pieces[at];
    }

    /** Uses those buffers no more of which nothing is taken. */
    public final void drop() {
        dropAdverts();
    }

    /** The link has gone, and with it the right to write anywhere. */
    public final void forget() {
        dropAdverts();
        while (pieceCount > 0) {
            dropPiece();
        }
        resume(0);
    }

    /**
     * Another link takes over.
     *
     * @param position of the next byte that is sent; from there on both sides count
     */
    public void resume(long position) {
        begin = position;
        direct = 0;
        lastRingBytes = 0;
    }

    private void dropPiece() {
        firstPiece = (firstPiece + 1) % MAX_PIECES;
        pieceCount--;
    }

    /**
     * How many bytes from a position on go to the same buffer; all before it have been written.
     *
     * @param position of the next byte that is written
     * @return 0 if that byte goes by the ring
     */
    public final int straight(long position) {
        while (pieceCount > 0 && pieces[firstPiece].end <= position) {
            dropPiece();
        }
        return pieceCount > 0 && pieces[firstPiece].begin <= position ? (int) (pieces[firstPiece].end - position) : 0;
    }

    /**
     * How many bytes from a position on go by the ring, where {@link #straight} is 0.
     *
     * @param position of the next byte that is written
     * @return at least one
     */
    public final long byRing(long position) {
        return pieceCount > 0 ? pieces[firstPiece].begin - position : Long.MAX_VALUE;
    }

    /**
     * Whether all that goes to buffers has been written.
     *
     * @param position of the next byte that is written
     * @return false also where bytes for the ring come before
     */
    public final boolean isWritten(long position) {
        return straight(position) == 0 && pieceCount == 0;
    }

    /**
     * Where the byte of a position goes, where {@link #straight} is not 0.
     *
     * @param position of it
     * @return an address of the peer's
     */
    public final long address(long position) {
        return pieces[firstPiece].to + (position - pieces[firstPiece].begin);
    }

    /**
     * By which right.
     *
     * @return as the advert said
     */
    public final int key() {
        return pieces[firstPiece].toKey;
    }

    /**
     * Where the byte of a position comes from, where {@link #straight} is not 0.
     *
     * @param position of it
     * @return an address of this side's
     */
    public final long fromAddress(long position) {
        return pieces[firstPiece].from + (position - pieces[firstPiece].begin);
    }

    /**
     * The device's key for that address.
     *
     * @return as it was given
     */
    public final int fromKey() {
        return pieces[firstPiece].fromKey;
    }

    /**
     * Whether the last byte that {@link #straight} counts is the last for its buffer.
     *
     * @return false if more may follow
     */
    public final boolean endsBuffer() {
        return pieces[firstPiece].last;
    }
}
