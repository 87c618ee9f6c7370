/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Echo over non-blocking channels: one thread and one {@link Selector} serve every connection. */
public final class SelectorEcho implements Sample {

    private static final int BUFFER_BYTES = 8 * 1024;

    /** Creates the sample. */
    public SelectorEcho() {}

    /**
     * Runs the sample.
     *
     * @param args {@code server [PORT]}, {@code client [HOST:]PORT [TEXT...]}, or nothing for both
     */
    public static void main(String[] args) {
        Launcher.run(new SelectorEcho(), args);
    }

    @Override
    public RunningServer serve(int port) throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(port));
        listener.configureBlocking(false);
        listener.register(selector, OP_ACCEPT);
        Threads.daemon("select", () -> serve(selector, listener));
        return new RunningServer(listener.socket().getLocalPort(), selector::close);
    }

    private static void serve(Selector selector, ServerSocketChannel listener) throws IOException {
        try (listener) {
            while (selector.isOpen()) {
                selector.select(key -> dispatch(selector, listener, key));
            }
        }
    }

    private static void dispatch(Selector selector, ServerSocketChannel listener, SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept(selector, listener);
            } else {
                echo(key);
            }
        } catch (IOException e) {
            System.err.println("echo: " + e);
            key.cancel();
        }
    }

    private static void accept(Selector selector, ServerSocketChannel listener) throws IOException {
        SocketChannel connection = listener.accept();
        if (connection != null) {
            connection.configureBlocking(false);
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connection.register(selector, OP_READ, ByteBuffer.allocateDirect(BUFFER_BYTES));
        }
    }

    /** Reads what there is and writes what fits; reads no more until the peer has taken the rest. */
    private static void echo(SelectionKey key) throws IOException {
        SocketChannel connection = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        if (key.isReadable() && connection.read(buffer) < 0) {
            connection.close();
            return;
        }
        buffer.flip();
        connection.write(buffer);
        key.interestOps(buffer.hasRemaining() ? OP_WRITE : OP_READ);
        buffer.compact();
    }

    @Override
    public String[] call(InetSocketAddress server, String... messages) throws IOException {
        String[] echoes = new String[messages.length];
        try (Selector selector = Selector.open();
                SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, OP_CONNECT);
            if (!channel.connect(server)) {
                await(key, OP_CONNECT);
                channel.finishConnect();
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            for (int i = 0; i < messages.length; i++) {
                echoes[i] = exchange(key, channel, messages[i]);
            }
        }
        return echoes;
    }

    private static String exchange(SelectionKey key, SocketChannel channel, String text) throws IOException {
        ByteBuffer message = UTF_8.encode(text);
        ByteBuffer echo = ByteBuffer.allocateDirect(message.remaining());
        while (message.hasRemaining()) {
            await(key, OP_WRITE);
            channel.write(message);
        }
        while (echo.hasRemaining()) {
            await(key, OP_READ);
            if (channel.read(echo) < 0) {
                throw new EOFException("the server hung up");
            }
        }
        return UTF_8.decode(echo.flip()).toString();
    }

    private static void await(SelectionKey key, int operation) throws IOException {
        key.interestOps(operation);
        Selector selector = key.selector();
        do {
            selector.select();
        } while (!selector.selectedKeys().remove(key));
    }
}
