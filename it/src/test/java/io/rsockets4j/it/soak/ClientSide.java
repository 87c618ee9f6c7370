/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.EOFException;
import java.nio.ByteBuffer;

/** Who connects, and follows its plan. */
final class ClientSide extends Side {
    private final Plan plan;
    private final Pattern sent;
    private final Pattern received;
    private final ByteBuffer header = ByteBuffer.allocate(Plan.BYTES);
    private final ByteBuffer trailer = ByteBuffer.allocate(Plan.TRAILER_BYTES);
    private boolean over;

    ClientSide(Plan plan) {
        this.plan = plan;
        this.sent = new Pattern(plan.seed());
        this.received = new Pattern(~plan.seed());
        plan.write(header);
        header.flip();
    }

    private long mayBeSent() {
        return plan.mayBeSent(received.position()) - sent.position();
    }

    @Override
    boolean hasToSend() {
        return header.hasRemaining() || mayBeSent() > 0;
    }

    @Override
    void next(ByteBuffer out) {
        while (header.hasRemaining() && out.hasRemaining()) {
            out.put(header.get());
        }
        sent.fill(out, mayBeSent());
    }

    @Override
    boolean hasSentAll() {
        return !header.hasRemaining() && sent.position() == plan.upTotal();
    }

    @Override
    void arrived(ByteBuffer in) {
        received.check(in, plan.downTotal() - received.position());
        while (in.hasRemaining() && trailer.hasRemaining()) {
            trailer.put(in.get());
        }
        if (in.hasRemaining()) {
            throw new CorruptionException(in.remaining() + " bytes too many of " + plan);
        }
    }

    @Override
    void ended() throws EOFException {
        if (trailer.hasRemaining()) {
            throw new EOFException("the server hung up after " + received.position() + " bytes, "
                    + trailer.position() + " of its trailer, " + sent.position() + " sent, of " + plan);
        }
        trailer.flip();
        long count = trailer.getLong();
        long sumUp = trailer.getLong();
        long sumDown = trailer.getLong();
        if (count != sent.position() || sumUp != sent.sum() || sumDown != received.sum()) {
            throw new CorruptionException("the server received " + count + " bytes with " + sumUp + " and sent "
                    + sumDown + "; sent were " + sent.position() + " with " + sent.sum() + " and received "
                    + received.sum() + ", of " + plan);
        }
        over = true;
    }

    @Override
    boolean isOver() {
        return over;
    }

    @Override
    long bytes() {
        return sent.position() + received.position();
    }
}
