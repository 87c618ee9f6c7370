/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.nio.ByteBuffer;

/**
 * What a server does with one connection, whatever the API: it names the buffer for the next bytes, is told when
 * some have arrived, and may answer. Used by one thread at a time.
 */
public interface ServerSession {
    /** The answer that is none. */
    ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /**
     * Names the buffer into which to read next. Called once the last answer has been written in full. Returns a buffer
     * with room.
     */
    ByteBuffer target();

    /**
     * Takes note that bytes were put into the buffer from {@link #target()}: what to write now, {@link #NOTHING} to go
     * on reading.
     */
    ByteBuffer received();

    /** Tells whether the server should hang up now: true once the last answer has been given. */
    default boolean isFinished() {
        return false;
    }
}
