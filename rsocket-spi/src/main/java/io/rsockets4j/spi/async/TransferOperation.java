/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;

/** What a channel reads or writes. While it is pending its buffers are its own. */
abstract class TransferOperation extends Operation {
    /** Whose bytes these are. */
    final RSocketChannel channel;

    private final String name;
    private ByteBuffer buffer; // this and all below: guarded by lock
    private ByteBuffer[] buffers; // instead of buffer
    private int offset;
    private int length;

    /**
     * Creates an operation that is not pending.
     *
     * @param group whose threads run it
     * @param readiness wakes it
     * @param channel to read or write
     * @param interest {@code OP_READ} or {@code OP_WRITE}
     * @param name how messages begin
     */
    TransferOperation(RAsynchronousChannelGroup group, Readiness readiness, RSocketChannel channel, int interest,
            String name) {
        super(group, readiness, interest);
        this.channel = channel;
        this.name = name;
    }

    /** Begins with one buffer. */
    final <A> void transfer(ByteBuffer one, CompletionHandler<Integer, ? super A> handler, A attachment,
            CompletableFuture<Integer> future, long timeoutNanos) {
        lockForNext();
        buffer = one;
        begin(handler, attachment, future, timeoutNanos);
    }

    /** Begins with several buffers. */
    final <A> void transfer(ByteBuffer[] many, int from, int count, CompletionHandler<Long, ? super A> handler,
            A attachment, long timeoutNanos) {
        lockForNext();
        buffers = many;
        offset = from;
        length = count;
        begin(handler, attachment, null, timeoutNanos);
    }

    @Override
    final RuntimeException refusal(boolean killed) {
        return killed ? new IllegalStateException(name + " not allowed due to timeout or cancellation") : pending();
    }

    /** What is thrown while another operation of this kind is pending. */
    abstract IllegalStateException pending();

    /** Transfers with one buffer what can be transferred now. */
    abstract int transfer(ByteBuffer one) throws IOException;

    /** Transfers with several buffers what can be transferred now. */
    abstract long transfer(ByteBuffer[] many, int from, int count) throws IOException;

    /** Whether there is one buffer, so that the result is an {@code Integer}, not a {@code Long}. */
    final boolean isOfOne() {
        return buffers == null;
    }

    @Override
    Object attempt() throws IOException {
        return isOfOne() ? attemptOne() : attemptMany();
    }

    private Object attemptOne() throws IOException {
        boolean wanted = buffer.hasRemaining();
        int n = transfer(buffer);
        return n == 0 && wanted ? null : Integer.valueOf(n);
    }

    private Object attemptMany() throws IOException {
        long n = transfer(buffers, offset, length);
        return n == 0 && isWanted() ? null : Long.valueOf(n);
    }

    private boolean isWanted() {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    @Override
    final boolean mayInvokeInBegin() {
        return true;
    }

    @Override
    final void forgetArguments() {
        buffer = null;
        buffers = null;
    }

    @Override
    final boolean isOpen() {
        return channel.isOpen();
    }
}
