/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Opens channels and a selector, says so, and goes on when its input ends: with new channels of every kind, and with
 * new ones that the old selector watches, a client and a listener.
 */
public final class EarlyChannels {
    private static final long LIMIT_MILLIS = 20_000;

    private EarlyChannels() { }

    public static void main(String[] args) throws Exception {
        try (Selector early = Selector.open()) {
            SocketChannel.open().close();
            AsynchronousSocketChannel.open().close();
            LateChannels.main(args); // waits until its input ends
            useWith(early);
        }
    }

    /** A message from a client to a listener and back; the selector watches both. */
    private static void useWith(Selector selector) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open(); SocketChannel client = SocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT, "listener");
            client.configureBlocking(false);
            if (!client.connect(listener.getLocalAddress())) {
                await(client.register(selector, SelectionKey.OP_CONNECT, "client"));
                if (!client.finishConnect()) {
                    throw new AssertionError("not connected");
                }
            }
            SelectionKey key = client.register(selector, SelectionKey.OP_READ, "client");
            await(listener.keyFor(selector));
            try (SocketChannel accepted = listener.accept()) {
                accepted.write(ByteBuffer.wrap(new byte[] {6}));
                await(key);
                ByteBuffer received = ByteBuffer.allocate(1);
                if (client.read(received) != 1 || received.get(0) != 6 || key != client.keyFor(selector)) {
                    throw new AssertionError("what came is not what was sent");
                }
            }
        }
    }

    private static void await(SelectionKey key) throws Exception {
        Selector selector = key.selector();
        long end = System.currentTimeMillis() + LIMIT_MILLIS;
        while (!selector.selectedKeys().contains(key)) {
            selector.select(LIMIT_MILLIS);
            if (System.currentTimeMillis() > end) {
                throw new AssertionError(key.attachment() + " is not ready");
            }
        }
        selector.selectedKeys().clear();
    }
}
