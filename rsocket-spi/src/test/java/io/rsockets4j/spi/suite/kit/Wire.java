/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/** Moving content over blocking channels. */
public final class Wire {
    private static final int GROWTH_MILLIS = 200;

    private Wire() {
    }

    /**
     * Sends the beginning of a stream.
     *
     * @param channel where to
     * @param payload what
     * @param bytes how many bytes
     * @param chunk the size of each write but the last
     * @throws IOException when a write fails
     */
    public static void send(WritableByteChannel channel, Payload payload, long bytes, int chunk) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(chunk);
        for (long sent = 0; sent < bytes;) {
            buffer.clear().limit((int) Math.min(chunk, bytes - sent));
            payload.fill(buffer, sent);
            sent += buffer.position();
            writeFully(channel, buffer.flip());
        }
    }

    /**
     * Receives and checks the beginning of a stream.
     *
     * @param channel where from
     * @param payload what is expected
     * @param bytes how many bytes; no more than these are read
     * @param chunk the size of the buffer
     * @throws IOException when a read fails, or the stream ends too early
     */
    public static void receive(ReadableByteChannel channel, Payload payload, long bytes, int chunk) throws IOException {
        receive(channel, payload, 0, bytes, chunk);
    }

    /**
     * Receives and checks a part of a stream.
     *
     * @param channel where from
     * @param payload what is expected
     * @param from the position in the stream of the first byte
     * @param to the position in the stream after the last byte
     * @param chunk the size of the buffer
     * @throws IOException when a read fails, or the stream ends too early
     */
    public static void receive(ReadableByteChannel channel, Payload payload, long from, long to, int chunk)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(chunk);
        for (long received = from; received < to;) {
            buffer.clear().limit((int) Math.min(chunk, to - received));
            int count = channel.read(buffer);
            if (count < 0) {
                throw new EOFException("end of stream at byte " + received + ", expected at " + to);
            }
            if (count != buffer.position() || count == 0) {
                throw new AssertionError("a read returned " + count + " and moved to " + buffer.position());
            }
            payload.check(buffer.flip(), received);
            received += count;
        }
    }

    /**
     * Writes all that remains.
     *
     * @param channel where to
     * @param buffer written from its position to its limit
     * @throws IOException when a write fails
     */
    public static void writeFully(WritableByteChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int before = buffer.remaining();
            int count = channel.write(buffer);
            if (count != before - buffer.remaining() || count <= 0) {
                throw new AssertionError("write of " + before + " returned " + count + ", left " + buffer.remaining());
            }
        }
    }

    /**
     * Fills a buffer.
     *
     * @param channel where from
     * @param buffer filled from its position to its limit
     * @return the same buffer, not flipped
     * @throws IOException when a read fails, or the stream ends too early
     */
    public static ByteBuffer readFully(ReadableByteChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("end of stream with " + buffer.remaining() + " bytes missing");
            }
        }
        return buffer;
    }

    /**
     * Writes until nothing more fits, for as long as the peer reads nothing. Buffers may grow meanwhile.
     *
     * @param channel a blocking channel, which is blocking again afterwards
     * @throws IOException when a write fails
     */
    public static void fillUp(SocketChannel channel) throws IOException {
        fillUp(List.of(channel));
    }

    /**
     * The same, of several channels at once: they grow at the same time.
     *
     * @param channels blocking channels of one provider, which are blocking again afterwards
     * @throws IOException when a write fails
     */
    public static void fillUp(List<SocketChannel> channels) throws IOException {
        try (Selector selector = channels.get(0).provider().openSelector()) {
            for (SocketChannel channel : channels) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_WRITE);
                fillNow(channel);
            }
            while (selector.select(GROWTH_MILLIS) > 0) {
                for (SelectionKey key : selector.selectedKeys()) {
                    fillNow((SocketChannel) key.channel());
                }
                selector.selectedKeys().clear();
            }
        }
        for (SocketChannel channel : channels) {
            fillNow(channel); // TCP has room for some bytes before a selector says so
            channel.configureBlocking(true);
        }
    }

    private static void fillNow(SocketChannel channel) throws IOException {
        for (int size : new int[] {256 * 1024, 1}) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(size);
            while (channel.write(buffer.clear()) > 0) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Sends back all that arrives until the end of the stream.
     *
     * @param <C> a channel for both directions
     * @param channel the channel, which stays open
     * @throws IOException when it fails
     */
    public static <C extends ReadableByteChannel & WritableByteChannel> void echo(C channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
        while (channel.read(buffer) >= 0) {
            writeFully(channel, buffer.flip());
            buffer.clear();
        }
    }
}
