/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.ArrayDeque;

/**
 * The connections of a session that have data to send, in the order of their turns. Guarded by the send queue's lock.
 *
 * <p>All writes of a session go out in order. So where a connection streams while another one exchanges short messages,
 * each of these would wait for a whole ring of the stream. There, a stream that has more to write is held until the
 * peer's device has acknowledged most of what went before: {@link #WINDOW_BYTES} are under way, and a turn. Streams
 * alone, however many, are never held, so the way to the peer may be long.
 */
final class DataLine {
    /** How much data may be under way before a stream is held. */
    static final int WINDOW_BYTES = 64 << 10;

    /** Who has so much to send at once streams. */
    static final int STREAM_BYTES = 16 << 10;

    /** Who sends no more than this, and neither has more nor has just had, may wait for an answer. */
    static final int SHORT_BYTES = 4 << 10;

    /** After so many turns of streams without a short message, nobody waits for one any more. */
    static final int TURNS_WITHOUT_SHORT = 16;

    private final ArrayDeque<SendSide> waiting = new ArrayDeque<>();
    private final ArrayDeque<SendSide> held = new ArrayDeque<>();
    /** Bytes of data up to each work request that is under way, and up to the last one that is not. */
    private final long[] postedAt = new long[QueueSizes.SENDS + 1];
    private long posted; // bytes of data
    private long acknowledged; // of those
    private long postedBefore; // the present turn
    private int asker; // the number of the connection that sent the last short message
    private int turnsWithoutShort = TURNS_WITHOUT_SHORT;

    /** One more has data, and is not in this line. */
    void add(SendSide sender) {
        waiting.addLast(sender);
    }

    void remove(SendSide sender) {
        if (!waiting.remove(sender)) {
            held.remove(sender);
        }
    }

    /** Nobody has data, and nothing will be heard of the work requests up to a count. */
    void clear(long count) {
        waiting.clear();
        held.clear();
        acknowledged(count);
    }

    /** Whether nobody has data. */
    boolean isEmpty() {
        return waiting.isEmpty() && held.isEmpty();
    }

    /** Whether a stream waits for what is under way. */
    boolean isHeld() {
        return !held.isEmpty();
    }

    /** Whether somebody has the next turn: who has data, and is not held. */
    boolean hasNext() {
        while (!waiting.isEmpty() && holds(waiting.peekFirst())) {
            held.addLast(waiting.pollFirst());
        }
        return !waiting.isEmpty();
    }

    /** Who has the next turn, once. */
    SendSide next() {
        return waiting.pollFirst();
    }

    /** Whether this connection has to wait for what is under way, as another one may wait for an answer. */
    boolean holds(SendSide sender) {
        return isShared() && posted - acknowledged >= WINDOW_BYTES && sender.due() >= STREAM_BYTES
                && sender.connection().number() != asker;
    }

    private boolean isShared() {
        return turnsWithoutShort < TURNS_WITHOUT_SHORT;
    }

    /** So many bytes are about to be posted. Returns whether it should be told when they have arrived. */
    boolean posts(int length) {
        posted += length;
        return length >= STREAM_BYTES && isShared();
    }

    /** A work request is about to be posted, of data or not. Returns its count. */
    long posted(long count) {
        postedAt[(int) (count % postedAt.length)] = posted;
        return count;
    }

    /** A connection has had its turn. */
    void tookTurn(SendSide sender, boolean hasMore) {
        long length = posted - postedBefore;
        postedBefore = posted;
        boolean much = hasMore || length >= STREAM_BYTES;
        boolean isRest = sender.hasMuchToSend(much);
        if (much) {
            turnsWithoutShort = Math.min(turnsWithoutShort + 1, TURNS_WITHOUT_SHORT);
        } else if (length <= SHORT_BYTES && !isRest) {
            turnsWithoutShort = 0;
            asker = sender.connection().number();
        }
    }

    /** All work requests up to a count are acknowledged. */
    void acknowledged(long count) {
        acknowledged = postedAt[(int) (count % postedAt.length)];
        while (posted - acknowledged < WINDOW_BYTES && !held.isEmpty()) {
            waiting.addLast(held.pollFirst());
        }
    }
}
