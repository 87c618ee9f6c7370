/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.WritePendingException;

/** What a channel writes. */
final class WriteOperation extends TransferOperation {
    private boolean shut; // guarded by lock

    WriteOperation(RAsynchronousChannelGroup group, Readiness readiness, RSocketChannel channel) {
        super(group, readiness, channel, SelectionKey.OP_WRITE, "Writing");
    }

    @Override
    IllegalStateException pending() {
        return new WritePendingException();
    }

    @Override
    int transfer(ByteBuffer src) throws IOException {
        if (src.isDirect()) {
            channel.lend(src, null);
        }
        return channel.write(src);
    }

    /** Before the program hears of it: the buffer is its own again. */
    @Override
    void failed(Throwable cause) {
        channel.reclaim();
    }

    @Override
    long transfer(ByteBuffer[] srcs, int from, int count) throws IOException {
        return channel.write(srcs, from, count);
    }

    /** Ends the output; what is pending fails, as over TCP. No handler is invoked in here. */
    void shutdownOutput() throws IOException {
        channel.shutdownOutput();
        lock.lock();
        if (shut || !isPending()) {
            shut = true;
            lock.unlock();
        } else {
            shut = true;
            complete(null, new IOException("Broken pipe"), false);
        }
    }

    @Override
    Object attempt() throws IOException {
        if (shut) {
            throw new ClosedChannelException();
        }
        try {
            return super.attempt();
        } catch (AsynchronousCloseException e) { // the output is shut by another thread at this very moment
            throw new ClosedChannelException();
        }
    }

    @Override
    boolean isRepeated() {
        return false; // a channel can be written nearly always
    }
}
