/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;

/** A connection of an {@link AsyncServer}: each handler begins the next operation. The attachment is what it writes. */
final class AsyncConnection implements CompletionHandler<Integer, ByteBuffer> {

    private final AsynchronousSocketChannel channel;
    private final Session session;

    AsyncConnection(AsynchronousSocketChannel channel, Session session) {
        this.channel = channel;
        this.session = session;
    }

    void start() {
        channel.read(session.target(), null, this);
    }

    @Override
    public void completed(Integer count, ByteBuffer written) {
        ByteBuffer reply = written;
        if (reply == null) {
            if (count < 0) {
                close();
                return;
            }
            reply = session.received();
        }
        if (reply.hasRemaining()) {
            channel.write(reply, reply, this);
        } else if (session.isFinished()) {
            close();
        } else {
            start();
        }
    }

    @Override
    public void failed(Throwable failure, ByteBuffer written) {
        System.err.println("serve: " + failure);
        close();
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            System.err.println("serve: " + e);
        }
    }
}
