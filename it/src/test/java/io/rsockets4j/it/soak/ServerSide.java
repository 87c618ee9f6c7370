/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.EOFException;
import java.nio.ByteBuffer;

/** Who accepts, and answers. */
final class ServerSide extends Side {
    private final ByteBuffer header = ByteBuffer.allocate(Plan.BYTES);
    private final ByteBuffer trailer = ByteBuffer.allocate(Plan.TRAILER_BYTES);
    private Plan plan;
    private Pattern sent;
    private Pattern received;
    private boolean ended;

    private long owed() {
        return plan == null ? 0 : plan.toBeAnswered(received.position()) - sent.position();
    }

    @Override
    boolean hasToSend() {
        return owed() > 0 || ended && trailer.hasRemaining();
    }

    @Override
    void next(ByteBuffer out) {
        sent.fill(out, owed());
        if (ended && owed() == 0) {
            if (trailer.position() == 0) {
                trailer.putLong(received.position()).putLong(received.sum()).putLong(sent.sum()).flip();
            }
            while (trailer.hasRemaining() && out.hasRemaining()) {
                out.put(trailer.get());
            }
        }
    }

    @Override
    boolean hasSentAll() {
        return ended && !trailer.hasRemaining();
    }

    @Override
    void arrived(ByteBuffer in) {
        while (plan == null && in.hasRemaining()) {
            header.put(in.get());
            if (!header.hasRemaining()) {
                plan = Plan.read(header.flip());
                sent = new Pattern(~plan.seed());
                received = new Pattern(plan.seed());
            }
        }
        if (in.hasRemaining()) {
            received.check(in, plan.upTotal() - received.position());
        }
        if (in.hasRemaining()) {
            throw new CorruptionException(in.remaining() + " bytes too many of " + plan);
        }
    }

    @Override
    void ended() throws EOFException {
        if (plan == null || received.position() < plan.upTotal()) {
            throw new EOFException("the client has gone");
        }
        ended = true;
    }

    @Override
    boolean isOver() {
        return hasSentAll();
    }

    @Override
    long bytes() {
        return plan == null ? 0 : sent.position() + received.position();
    }
}
