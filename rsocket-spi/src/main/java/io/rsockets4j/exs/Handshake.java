/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * The first eight bytes of both ends of a connection: they say that the ends are of this package, which end each is,
 * and what they carry. Under the socket's lock.
 */
final class Handshake {
    private static final int MAGIC = 'E' << 24 | 'X' << 16 | 'S' << 8 | 1; // the last is the version
    private static final int BYTES = 8;
    private static final int DIRECT = 1 << 16; // frames of a stream over shared memory
    private static final int INITIATOR = 'I' << 8;
    private static final int ACCEPTOR = 'A' << 8;

    private final SocketChannel channel;
    private final SocketType type;
    private final boolean initiator;
    private final boolean direct;
    private final ByteBuffer out = ByteBuffer.allocate(BYTES);
    private final ByteBuffer in = ByteBuffer.allocate(BYTES);

    Handshake(SocketChannel channel, SocketType type, boolean initiator, boolean direct) {
        this.channel = channel;
        this.type = type;
        this.initiator = initiator;
        this.direct = direct;
        out.putInt(MAGIC).putInt((initiator ? INITIATOR : ACCEPTOR) | (direct ? DIRECT : 0) | code(type)).flip();
    }

    private static int code(SocketType type) {
        return type == SocketType.STREAM ? 'S' : 'M';
    }

    /** Whether it is complete. */
    boolean exchange() throws IOException {
        if (out.hasRemaining()) {
            channel.write(out);
        }
        if (in.hasRemaining() && channel.read(in) < 0) {
            throw new EOFException("The peer has closed the connection without a handshake");
        }
        return !out.hasRemaining() && !in.hasRemaining();
    }

    /** Whether both ends offer to send frames. */
    boolean isDirect() {
        return direct && (in.getInt(4) & DIRECT) != 0;
    }

    int interest() {
        return (out.hasRemaining() ? SelectionKey.OP_WRITE : 0) | (in.hasRemaining() ? SelectionKey.OP_READ : 0);
    }

    /** Refuses who is not of this package, or carries something else. */
    void check(InetSocketAddress peer) throws ProtocolException {
        int said = in.getInt(4);
        int theirs = said & 0xff;
        if (in.getInt(0) != MAGIC || (said & ~0xff & ~DIRECT) != (initiator ? ACCEPTOR : INITIATOR)
                || theirs != code(SocketType.STREAM) && theirs != code(SocketType.MESSAGE)) {
            throw new ProtocolException("The peer at " + peer + " is no extended socket");
        }
        if (theirs != code(type)) {
            throw new ProtocolException("The peer at " + peer + " is a socket of type "
                    + (type == SocketType.STREAM ? SocketType.MESSAGE : SocketType.STREAM) + ", this one of " + type);
        }
    }
}
