/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The receives of a socket. Reads and drops the rest of a message that is too long. */
final class Incoming extends TransferQueue {
    private static final int DROP_BYTES = 8 * 1024;
    private static final int UNKNOWN = -1;

    private final boolean messages;
    private final ByteBuffer header = ByteBuffer.allocateDirect(Integer.BYTES);
    private final ByteBuffer[] parts = {null, header};
    private int length = UNKNOWN; // of the message that is being read
    private int toDrop;
    private ByteBuffer dropped;
    private boolean ended;

    Incoming(SocketChannel channel, EventQueue queue, SocketType type) {
        super(channel, queue);
        messages = type == SocketType.MESSAGE;
    }

    @Override
    boolean wants() {
        return super.wants() || toDrop > 0;
    }

    @Override
    void move() throws IOException {
        while (!ended && wants() && (messages ? moveMessage() : moveBytes())) {
            continue;
        }
        while (ended && !pending.isEmpty()) {
            int bytes = pending.peek().data.position();
            end(bytes == 0 ? -1 : bytes, null);
        }
    }

    private boolean moveBytes() throws IOException {
        Event receive = pending.peek();
        int bytes = channel.read(receive.data);
        ended = bytes < 0;
        if (bytes == 0 && direct != null) {
            goStraight();
        }
        if (bytes <= 0 || receive.waitAll && receive.data.hasRemaining()) {
            return bytes > 0;
        }
        end(receive.data.position(), null);
        return true;
    }

    /** Whether something was done, so that more might be. */
    private boolean moveMessage() throws IOException {
        if (toDrop > 0) {
            return drop();
        }
        if (length == UNKNOWN) {
            return readHeader();
        }
        if (pending.isEmpty()) {
            return false;
        }
        ByteBuffer data = pending.peek().data;
        if (length > data.capacity()) {
            toDrop = length;
            length = UNKNOWN;
            end(0, new MessageTooLongException(toDrop, data.capacity()));
            return true;
        }
        data.limit(length);
        return readData(data);
    }

    private boolean readHeader() throws IOException {
        long bytes = header.hasRemaining() ? channel.read(header) : 0;
        if (bytes < 0 && header.position() == 0) {
            ended = true;
            return false;
        }
        checkEnd(bytes);
        if (header.hasRemaining()) {
            return bytes > 0;
        }
        length = header.getInt(0);
        header.clear();
        if (length < 0) {
            throw new IOException("The peer's message has a length of " + length + " bytes");
        }
        return true;
    }

    /** Reads the next message's header behind the data: one call for each message, mostly. */
    private boolean readData(ByteBuffer data) throws IOException {
        parts[0] = data;
        long bytes = data.hasRemaining() ? channel.read(parts) : 0;
        checkEnd(bytes);
        if (data.hasRemaining()) {
            if (bytes == 0 && direct != null) {
                direct.offer(data, true);
            }
            return bytes > 0;
        }
        length = UNKNOWN;
        end(data.position(), null);
        return true;
    }

    private boolean drop() throws IOException {
        if (dropped == null) {
            dropped = ByteBuffer.allocateDirect(DROP_BYTES);
        }
        int bytes = channel.read(dropped.clear().limit(Math.min(toDrop, DROP_BYTES)));
        checkEnd(bytes);
        toDrop -= bytes;
        return bytes > 0;
    }

    /** A message's receive is offered by itself, as the next one's length comes by the ring. */
    @Override
    boolean goesStraight(Event receive) {
        return !messages && direct.offer(receive.data, receive.waitAll);
    }

    @Override
    void letGo() {
        direct.takeBack();
    }

    private static void checkEnd(long bytes) throws EOFException {
        if (bytes < 0) {
            throw new EOFException("The connection has ended within a message");
        }
    }
}
