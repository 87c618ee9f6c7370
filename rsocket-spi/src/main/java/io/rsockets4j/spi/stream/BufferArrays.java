/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import java.nio.ByteBuffer;

/** What reads and writes of several buffers at once ask of them. */
final class BufferArrays {
    private BufferArrays() { }

    /** The first buffer that has room, or -1. */
    static int firstWithRoom(ByteBuffer[] dsts, int offset, int length) {
        int first = -1;
        for (int i = offset + length - 1; i >= offset; i--) {
            if (dsts[i].isReadOnly()) {
                throw readOnly();
            }
            if (dsts[i].hasRemaining()) {
                first = i;
            }
        }
        return first;
    }

    static boolean hasRemaining(ByteBuffer[] srcs, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (srcs[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    static IllegalArgumentException readOnly() {
        return new IllegalArgumentException("Read-only buffer");
    }
}
