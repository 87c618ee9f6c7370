/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ServerSession;
import java.nio.ByteBuffer;

/** Reads a whole message, then sends it back. */
final class EchoSession implements ServerSession {
    private final ByteBuffer message;
    private int echoesLeft;

    /** Echoes messages until {@code echoes} are done, then hangs up. */
    EchoSession(Job job, int echoes) {
        message = job.api().allocate(job.sizeBytes());
        echoesLeft = echoes;
    }

    /** Echoes messages until the client hangs up. */
    EchoSession(Job job) {
        this(job, -1);
    }

    @Override
    public ByteBuffer target() {
        if (!message.hasRemaining() || message.limit() < message.capacity()) {
            message.clear();
        }
        return message;
    }

    @Override
    public ByteBuffer received() {
        if (message.hasRemaining()) {
            return NOTHING;
        }
        if (echoesLeft > 0) {
            echoesLeft--;
        }
        return message.flip();
    }

    @Override
    public boolean isFinished() {
        return echoesLeft == 0;
    }
}
