/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.nio.ByteBuffer;

/**
 * What a client does with one connection of an API that calls back: requests, each followed by its answer. Used by one
 * thread at a time. What it throws ends the connection and comes back by {@link #fail}.
 */
public interface Call {
    /** Makes the next request. Called once the last answer has been read in full. Returns all of what to write. */
    ByteBuffer request();

    /** Names the buffer into which to read next: a buffer with room. */
    ByteBuffer target();

    /** Takes note that bytes were put into the buffer from {@link #target()}: whether the answer is complete. */
    boolean isAnswered();

    /**
     * Tells, once after each answer, what follows it: true to send the next request now, false if it will be sent by
     * {@link Caller#send} or not at all.
     */
    boolean isNextDue();

    /**
     * Takes note that the connection broke.
     *
     * @param failure why
     */
    void fail(Throwable failure);
}
