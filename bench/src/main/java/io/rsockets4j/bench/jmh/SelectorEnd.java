/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** Selects before each read, and before the rest of a write that did not fit. */
final class SelectorEnd implements End {
    private static final Consumer<SelectionKey> READY = key -> { };

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer message;

    SelectorEnd(SocketChannel channel, int size) throws IOException {
        this.channel = channel;
        message = ByteBuffer.allocateDirect(size);
        selector = channel.provider().openSelector();
        channel.configureBlocking(false);
        key = channel.register(selector, OP_READ);
    }

    @Override
    public void write() throws IOException {
        message.clear();
        channel.write(message);
        while (message.hasRemaining()) {
            select(OP_WRITE);
            channel.write(message);
        }
    }

    @Override
    public void read() throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            select(OP_READ);
            if (channel.read(message) < 0) {
                throw new EOFException();
            }
        }
    }

    private void select(int operation) throws IOException {
        if (key.interestOps() != operation) {
            key.interestOps(operation);
        }
        selector.select(READY);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
