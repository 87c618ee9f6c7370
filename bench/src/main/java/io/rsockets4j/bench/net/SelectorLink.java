/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A client's non-blocking connection: waits in {@code select()} before it reads, and when a write does not fit. */
final class SelectorLink implements Link {

    private final SelectionKey key;
    private final SocketChannel channel;
    private final Selector selector;

    SelectorLink(SelectionKey key, SocketChannel channel) {
        this.key = key;
        this.channel = channel;
        selector = key.selector();
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        channel.write(source);
        while (source.hasRemaining()) {
            await(OP_WRITE);
            channel.write(source);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count;
        do {
            await(OP_READ);
            count = channel.read(target);
        } while (count == 0);
        return count;
    }

    /** Selects until this connection is ready. The others of its selector, if any, have nothing to say then. */
    void await(int operation) throws IOException {
        if (key.interestOps() != operation) {
            key.interestOps(operation);
        }
        Set<SelectionKey> selected = selector.selectedKeys();
        while (!selected.remove(key)) {
            selector.select();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
