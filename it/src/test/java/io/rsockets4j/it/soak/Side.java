/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One side of a conversation: what it sends next, and whether what it gets is right. Not thread-safe. */
abstract class Side {
    /** Whether something is to be sent now; if not, the peer's bytes come first. */
    abstract boolean hasToSend();

    /** Appends what is to be sent next, as much as there is room for. */
    abstract void next(ByteBuffer out);

    /** Whether nothing will ever be sent any more: time to half-close. */
    abstract boolean hasSentAll();

    /** Takes and checks what has arrived. */
    abstract void arrived(ByteBuffer in);

    /**
     * The peer sends no more.
     *
     * @throws IOException if it should have
     */
    abstract void ended() throws IOException;

    /** Whether the conversation is over: time to close. */
    abstract boolean isOver();

    /** How many bytes went both ways. */
    abstract long bytes();
}
