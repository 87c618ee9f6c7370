/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/** Conversations by one thread with a selector, either side's. */
final class Selecting {
    private static final int BUFFER_BYTES = 32 * 1024;
    private static final long TICK_MILLIS = 100;

    /** One conversation, attached to its key. */
    private static final class Flow {
        private final Side side;
        private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();
        private boolean halfClosed;

        Flow(Side side) {
            this.side = side;
        }
    }

    /** Whom to tell when a conversation is over. */
    interface Listener {
        /** It went well. */
        void done(Side side);

        /** It did not. */
        void failed(Exception cause);
    }

    private final Selector selector;
    private final Listener listener;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private int open;

    Selecting(Listener listener) throws IOException {
        this.selector = Selector.open();
        this.listener = listener;
    }

    /** Serves whoever connects to a listener, for ever. */
    void serve(ServerSocketChannel server) throws IOException {
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        for (;;) {
            turn();
        }
    }

    /** Begins a conversation. */
    void connect(InetSocketAddress address, Side side) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean connected = channel.connect(address);
            channel.register(selector, connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, new Flow(side));
            open++;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** How many conversations are open. */
    int open() {
        return open;
    }

    /** Goes on with all that are ready; returns after a moment when none is. */
    void turn() throws IOException {
        selector.select(TICK_MILLIS);
        for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext();) {
            SelectionKey key = keys.next();
            keys.remove();
            if (key.isValid() && key.isAcceptable()) {
                accept((ServerSocketChannel) key.channel());
            } else if (key.isValid()) {
                serve(key, (Flow) key.attachment());
            }
        }
    }

    void close() throws IOException {
        selector.close();
    }

    private void accept(ServerSocketChannel server) throws IOException {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Flow(new ServerSide()));
            open++;
        }
    }

    private void serve(SelectionKey key, Flow flow) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable()) {
                channel.finishConnect();
            }
            if (key.isReadable()) {
                read(channel, flow.side);
            }
            write(channel, flow);
            if (!flow.side.isOver() || flow.out.hasRemaining()) {
                boolean more = flow.out.hasRemaining() || flow.side.hasToSend();
                key.interestOps(more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
                return;
            }
            channel.close();
            listener.done(flow.side);
        } catch (IOException | CorruptionException e) {
            channel.close();
            listener.failed(e);
        }
        open--;
    }

    private void read(SocketChannel channel, Side side) throws IOException {
        if (channel.read(in.clear()) < 0) {
            side.ended();
        } else {
            side.arrived(in.flip());
        }
    }

    private static void write(SocketChannel channel, Flow flow) throws IOException {
        if (!flow.out.hasRemaining() && flow.side.hasToSend()) {
            flow.side.next(flow.out.clear());
            flow.out.flip();
        }
        if (flow.out.hasRemaining()) {
            channel.write(flow.out);
        }
        if (!flow.out.hasRemaining() && flow.side.hasSentAll() && !flow.halfClosed) {
            channel.shutdownOutput();
            flow.halfClosed = true;
        }
    }
}
