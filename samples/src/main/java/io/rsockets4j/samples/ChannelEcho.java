/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Echo over {@link SocketChannel} in blocking mode, one thread for each connection. */
public final class ChannelEcho implements Sample {

    private static final int BUFFER_BYTES = 8 * 1024;

    /** Creates the sample. */
    public ChannelEcho() {}

    /**
     * Runs the sample.
     *
     * @param args {@code server [PORT]}, {@code client [HOST:]PORT [TEXT...]}, or nothing for both
     */
    public static void main(String[] args) {
        Launcher.run(new ChannelEcho(), args);
    }

    @Override
    public RunningServer serve(int port) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(port));
        Threads.daemon("accept", () -> accept(listener));
        return new RunningServer(listener.socket().getLocalPort(), listener);
    }

    private static void accept(ServerSocketChannel listener) throws IOException {
        while (listener.isOpen()) {
            SocketChannel connection = listener.accept();
            Threads.daemon("echo", () -> echo(connection));
        }
    }

    private static void echo(SocketChannel connection) throws IOException {
        try (connection) {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            while (connection.read(buffer) >= 0) {
                buffer.flip();
                writeFully(connection, buffer);
                buffer.clear();
            }
        }
    }

    @Override
    public String[] call(InetSocketAddress server, String... messages) throws IOException {
        String[] echoes = new String[messages.length];
        try (SocketChannel channel = SocketChannel.open(server)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            for (int i = 0; i < messages.length; i++) {
                ByteBuffer message = UTF_8.encode(messages[i]);
                ByteBuffer echo = ByteBuffer.allocateDirect(message.remaining());
                writeFully(channel, message);
                readFully(channel, echo);
                echoes[i] = UTF_8.decode(echo.flip()).toString();
            }
        }
        return echoes;
    }

    private static void writeFully(SocketChannel channel, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    private static void readFully(SocketChannel channel, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (channel.read(target) < 0) {
                throw new EOFException("the server hung up");
            }
        }
    }
}
