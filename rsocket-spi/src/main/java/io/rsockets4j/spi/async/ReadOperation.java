/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ReadPendingException;
import java.nio.channels.SelectionKey;

/** What a channel reads. While it is pending its buffers are its own. */
final class ReadOperation extends Operation {
    private final RSocketChannel channel;
    private ByteBuffer buffer; // this and all below: guarded by lock
    private ByteBuffer[] buffers; // instead of buffer
    private int offset;
    private int length;
    private boolean ended; // the peer has reset the connection, and a read has said so

    ReadOperation(RAsynchronousChannelGroup group, Readiness readiness, RSocketChannel channel) {
        super(group, readiness, SelectionKey.OP_READ);
        this.channel = channel;
    }

    <A> void read(ByteBuffer dst, CompletionHandler<Integer, ? super A> handler, A attachment,
            OperationFuture<Integer> future, long timeoutNanos) {
        lock.lock();
        check();
        buffer = dst;
        begin(handler, attachment, future, timeoutNanos);
    }

    <A> void read(ByteBuffer[] dsts, int from, int count, CompletionHandler<Long, ? super A> handler, A attachment,
            long timeoutNanos) {
        lock.lock();
        check();
        buffers = dsts;
        offset = from;
        length = count;
        begin(handler, attachment, null, timeoutNanos);
    }

    private void check() {
        if (isOpen() && (isKilled() || isPending())) {
            boolean killed = isKilled();
            lock.unlock();
            throw killed ? new IllegalStateException("Reading not allowed due to timeout or cancellation")
                    : new ReadPendingException();
        }
    }

    @Override
    Object attempt() throws IOException {
        boolean one = buffers == null;
        if (ended) {
            return end(one);
        }
        try {
            return one ? attemptOne() : attemptMany();
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

    private Object attemptOne() throws IOException {
        boolean full = !buffer.hasRemaining();
        int n = channel.read(buffer);
        return n == 0 && !full ? null : Integer.valueOf(n);
    }

    private Object attemptMany() throws IOException {
        long n = channel.read(buffers, offset, length);
        return n == 0 && hasRoom() ? null : Long.valueOf(n);
    }

    private boolean hasRoom() {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    @Override
    void forgetArguments() {
        buffer = null;
        buffers = null;
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
        ((Link) channel.source()).shutdownInput();
    }

    @Override
    boolean isOpen() {
        return channel.isOpen();
    }
}
