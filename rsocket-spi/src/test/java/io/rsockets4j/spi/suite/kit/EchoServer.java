/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.concurrent.Callable;

/**
 * A single-threaded echo server over a selector, as textbooks have it. It ends when its server channel is closed by
 * somebody else and its last connection has ended.
 */
public final class EchoServer implements Callable<Long> {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int TICK_MS = 100;

    private final Selector selector;
    private final ServerSocketChannel server;
    private long served;

    /**
     * Makes a server that is not running yet.
     *
     * @param selector an open selector of the same provider
     * @param server a bound channel, which is registered and made non-blocking
     * @throws IOException when it cannot be registered
     */
    public EchoServer(Selector selector, ServerSocketChannel server) throws IOException {
        this.selector = selector;
        this.server = server;
        server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    }

    /** @return how many connections came to their orderly end */
    @Override
    public Long call() throws IOException {
        while (server.isOpen() || !selector.keys().isEmpty()) {
            selector.select(TICK_MS);
            for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext();) {
                SelectionKey key = keys.next();
                keys.remove();
                if (key.isValid()) {
                    serve(key);
                }
            }
        }
        return served;
    }

    private void serve(SelectionKey key) throws IOException {
        if (key.channel() == server) {
            accept();
        } else {
            echo((SocketChannel) key.channel(), (ByteBuffer) key.attachment(), key);
        }
    }

    private void accept() throws IOException {
        SocketChannel accepted = server.isOpen() ? server.accept() : null;
        if (accepted != null) {
            accepted.configureBlocking(false);
            accepted.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(BUFFER_BYTES));
        }
    }

    /** The buffer holds what was read and could not be written yet. */
    private void echo(SocketChannel channel, ByteBuffer buffer, SelectionKey key) throws IOException {
        boolean ended = channel.read(buffer) < 0;
        channel.write(buffer.flip());
        buffer.compact();
        if (ended && buffer.position() == 0) {
            channel.close();
            served++;
        } else {
            boolean more = !ended && buffer.hasRemaining();
            key.interestOps((more ? SelectionKey.OP_READ : 0) | (buffer.position() > 0 ? SelectionKey.OP_WRITE : 0));
        }
    }
}
