/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.atomic.AtomicReference;

/** Reads, writes it back, and so on. */
final class AsyncEcho implements CompletionHandler<Integer, Boolean> {
    private final AsynchronousSocketChannel channel;
    private final AtomicReference<Throwable> trouble;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);

    AsyncEcho(AsynchronousSocketChannel channel, AtomicReference<Throwable> trouble) {
        this.channel = channel;
        this.trouble = trouble;
    }

    void start() {
        channel.read(buffer.clear(), true, this);
    }

    @Override
    public void completed(Integer count, Boolean read) {
        if (count < 0) {
            return;
        }
        if (read) {
            buffer.flip();
        }
        if (buffer.hasRemaining()) {
            channel.write(buffer, false, this);
        } else {
            start();
        }
    }

    @Override
    public void failed(Throwable cause, Boolean read) {
        if (channel.isOpen()) {
            trouble.set(cause);
        }
    }
}
