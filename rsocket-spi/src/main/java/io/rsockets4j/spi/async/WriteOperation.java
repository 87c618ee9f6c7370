/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SelectionKey;
import java.nio.channels.WritePendingException;

/** What a channel writes. While it is pending its buffers are its own. */
final class WriteOperation extends Operation {
    private final RSocketChannel channel;
    private ByteBuffer buffer; // this and all below: guarded by lock
    private ByteBuffer[] buffers; // instead of buffer
    private int offset;
    private int length;
    private boolean shut;

    WriteOperation(RAsynchronousChannelGroup group, Readiness readiness, RSocketChannel channel) {
        super(group, readiness, SelectionKey.OP_WRITE);
        this.channel = channel;
    }

    <A> void write(ByteBuffer src, CompletionHandler<Integer, ? super A> handler, A attachment,
            OperationFuture<Integer> future, long timeoutNanos) {
        lock.lock();
        check();
        buffer = src;
        begin(handler, attachment, future, timeoutNanos);
    }

    <A> void write(ByteBuffer[] srcs, int from, int count, CompletionHandler<Long, ? super A> handler, A attachment,
            long timeoutNanos) {
        lock.lock();
        check();
        buffers = srcs;
        offset = from;
        length = count;
        begin(handler, attachment, null, timeoutNanos);
    }

    private void check() {
        if (isOpen() && (isKilled() || isPending())) {
            boolean killed = isKilled();
            lock.unlock();
            throw killed ? new IllegalStateException("Writing not allowed due to timeout or cancellation")
                    : new WritePendingException();
        }
    }

    /** Ends the output; what is pending fails, as over TCP. */
    void shutdownOutput() throws IOException {
        channel.shutdownOutput();
        lock.lock();
        if (shut || !isPending()) {
            shut = true;
            lock.unlock();
        } else {
            shut = true;
            complete(null, new IOException("Broken pipe"));
        }
    }

    @Override
    Object attempt() throws IOException {
        if (shut) {
            throw new ClosedChannelException();
        }
        try {
            return buffers == null ? attemptOne() : attemptMany();
        } catch (AsynchronousCloseException e) { // the output is shut by another thread at this very moment
            throw new ClosedChannelException();
        }
    }

    private Object attemptOne() throws IOException {
        boolean nothing = !buffer.hasRemaining();
        int n = channel.write(buffer);
        return n == 0 && !nothing ? null : Integer.valueOf(n);
    }

    private Object attemptMany() throws IOException {
        long n = channel.write(buffers, offset, length);
        return n == 0 && hasBytes() ? null : Long.valueOf(n);
    }

    private boolean hasBytes() {
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
    boolean isRepeated() {
        return false; // a channel can be written nearly always
    }

    @Override
    boolean isOpen() {
        return channel.isOpen();
    }
}
