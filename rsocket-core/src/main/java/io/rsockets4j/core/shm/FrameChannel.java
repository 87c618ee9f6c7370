/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Frames over a non-blocking Unix-domain socket. Reading belongs to the service thread; frames are small and few. */
final class FrameChannel {
    private final SocketChannel channel;
    private final ByteBuffer input = ByteBuffer.allocate(Integer.BYTES + Frame.MAX_BYTES);

    FrameChannel(SocketChannel channel) {
        this.channel = channel;
    }

    SocketChannel channel() {
        return channel;
    }

    /**
     * Reads what has come, as far as the next whole frame.
     *
     * @return type byte and payload of a frame, valid until the next call, or null when none is complete
     * @throws EOFException when the peer has closed the socket
     * @throws IOException if the length is impossible
     */
    ByteBuffer read() throws IOException {
        if (input.position() < Integer.BYTES) {
            fill(Integer.BYTES);
        }
        if (input.position() < Integer.BYTES) {
            return null;
        }
        int length = input.getInt(0);
        if (length < 1 || length > Frame.MAX_BYTES) {
            throw new IOException("a frame of " + length + " bytes is outside 1 to " + Frame.MAX_BYTES);
        }
        fill(Integer.BYTES + length);
        if (input.position() < Integer.BYTES + length) {
            return null;
        }
        input.clear();
        return input.slice(Integer.BYTES, length);
    }

    private void fill(int upTo) throws IOException {
        input.limit(upTo);
        if (input.hasRemaining() && channel.read(input) < 0) {
            throw new EOFException("the peer has gone");
        }
    }

    /** Writes a whole frame; its size is far below the socket's buffer, so a short write means a peer in trouble. */
    void write(ByteBuffer frame) throws IOException {
        channel.write(frame);
        if (frame.hasRemaining()) {
            throw new IOException("the peer does not read its control socket");
        }
    }
}
