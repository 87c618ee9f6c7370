/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The sends of a socket. Four bytes with its length, in network order, precede a message. */
final class Outgoing extends TransferQueue {
    private final boolean messages;
    private final ByteBuffer header;
    private final ByteBuffer[] parts = new ByteBuffer[2];
    private boolean begun;
    private boolean last;

    Outgoing(SocketChannel channel, EventQueue queue, SocketType type) {
        super(channel, queue);
        messages = type == SocketType.MESSAGE;
        header = ByteBuffer.allocateDirect(messages ? Integer.BYTES : 0);
    }

    @Override
    void move() throws IOException {
        while (!pending.isEmpty()) {
            Event send = pending.peek();
            ByteBuffer data = send.data;
            if (!begun) {
                begun = true;
                begin(data);
            }
            write(send);
            if (header.hasRemaining() || data.hasRemaining()) {
                return;
            }
            begun = false;
            end(data.limit(), null);
        }
        if (last) {
            last = false;
            channel.shutdownOutput();
        }
    }

    /** A message's header goes with its first bytes, by the ring; the rest straight from the buffer, where it can. */
    private void write(Event send) throws IOException {
        if (header.hasRemaining()) {
            channel.write(parts);
            return;
        }
        if (direct != null && direct.lend(send.data, send.part)) {
            goStraight();
        }
        channel.write(send.data);
    }

    /** A message's length goes by the ring, behind the bytes before, so that only the oldest one can go straight. */
    @Override
    boolean goesStraight(Event send) {
        return !messages && direct.lend(send.data, send.part);
    }

    @Override
    void letGo() {
        direct.reclaim();
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
    void shutdown() {
        last = true;
        run();
    }
}
