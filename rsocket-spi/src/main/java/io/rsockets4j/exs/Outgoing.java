/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The sends of a socket. Four bytes with its length, in network order, precede a message. */
class Outgoing extends TransferQueue {
    private final ByteBuffer header;
    private final ByteBuffer[] parts = new ByteBuffer[2];
    private boolean begun;
    private boolean last;

    Outgoing(SocketChannel channel, EventQueue queue, SocketType type) {
        super(channel, queue);
        header = ByteBuffer.allocateDirect(type == SocketType.MESSAGE ? Integer.BYTES : 0);
    }

    @Override
    final void move() throws IOException {
        if (sendAll() && last) {
            last = false;
            shut();
        }
    }

    /** Whether nothing is pending any more. */
    boolean sendAll() throws IOException {
        while (!pending.isEmpty()) {
            ByteBuffer data = pending.peek().data;
            if (!begun) {
                begun = true;
                begin(data);
            }
            channel.write(parts);
            if (header.hasRemaining() || data.hasRemaining()) {
                return false;
            }
            begun = false;
            end(data.limit(), null);
        }
        return true;
    }

    /** All is sent. */
    void shut() throws IOException {
        channel.shutdownOutput();
    }

    private void begin(ByteBuffer data) {
        header.clear();
        if (header.hasRemaining()) {
            header.putInt(0, data.remaining());
        }
        parts[0] = header;
        parts[1] = data;
    }

    /** Nothing comes after what is pending. */
    final void shutdown() {
        last = true;
        run();
    }
}
