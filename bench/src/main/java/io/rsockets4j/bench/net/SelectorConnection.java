/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A connection of a {@link SelectorServer}: reads when it can, writes what fits, and remembers the rest. */
final class SelectorConnection {

    private final SelectionKey key;
    private final SocketChannel channel;
    private final Session session;
    private ByteBuffer reply = Session.NOTHING;

    SelectorConnection(SelectionKey key, SocketChannel channel, Session session) {
        this.key = key;
        this.channel = channel;
        this.session = session;
    }

    /** Does what the connection is ready for. A connection that fails is closed, the others go on. */
    void onReady() throws IOException {
        try {
            if (!reply.hasRemaining()) {
                read();
            } else {
                write();
            }
        } catch (IOException e) {
            System.err.println("serve: " + e);
            channel.close();
        }
    }

    private void read() throws IOException {
        int count = channel.read(session.target());
        if (count < 0) {
            channel.close();
        } else if (count > 0) {
            reply = session.received();
            write();
        }
    }

    private void write() throws IOException {
        if (reply.hasRemaining()) {
            channel.write(reply);
        }
        if (reply.hasRemaining()) {
            key.interestOps(OP_WRITE);
        } else if (session.isFinished()) {
            channel.close();
        } else if (key.interestOps() != OP_READ) {
            key.interestOps(OP_READ);
        }
    }
}
