/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.nio.channels.SelectionKey;

/** What a channel reads. */
final class ReadOperation extends TransferOperation {
    private boolean ended; // guarded by lock: the peer has reset the connection, and a read has said so

    ReadOperation(RAsynchronousChannelGroup group, Readiness readiness, RSocketChannel channel) {
        super(group, readiness, channel, SelectionKey.OP_READ, "Reading");
    }

    @Override
    IllegalStateException pending() {
        return new ReadPendingException();
    }

    @Override
    int transfer(ByteBuffer dst) throws IOException {
        int n = channel.read(dst);
        if (n == 0 && dst.isDirect()) {
            channel.offer(dst, false);
        }
        return n;
    }

    /** Before the program hears of it: the buffer is its own again. */
    @Override
    void failed(Throwable cause) {
        channel.takeBack();
    }

    @Override
    long transfer(ByteBuffer[] dsts, int from, int count) throws IOException {
        return channel.read(dsts, from, count);
    }

    @Override
    Object attempt() throws IOException {
        if (ended) {
            return end(isOfOne());
        }
        try {
            return super.attempt();
        } catch (SocketException e) {
            ended = true;
            throw new IOException(e.getMessage(), e.getCause());
        }
    }

    private static Object end(boolean ofOne) {
        if (ofOne) {
            return Link.EOF;
        }
        return (long) Link.EOF;
    }

    @Override
    boolean canAwait() {
        return channel.source() != null;
    }

    @Override
    void await(long untilNanos) {
        channel.awaitReadable(untilNanos);
    }

    /** Nothing can be read any more, so that the link's input may end. */
    @Override
    void wakeAwaiting() {
        ((Link) channel.source()).endInput();
    }
}
