/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ServerHost;
import io.rsockets4j.bench.work.SinkSession.Header;
import io.rsockets4j.bench.work.SinkSession.Header.Kind;
import io.rsockets4j.exs.Event;
import io.rsockets4j.exs.EventQueue;
import io.rsockets4j.exs.ExtendedSocket;
import io.rsockets4j.exs.RegisteredMemory;
import io.rsockets4j.exs.SocketType;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** The client of an {@link ExsServer}. For one thread. */
final class ExsClient implements Closeable {
    private static final long SEED = 0x5eed;
    private static final int LIMIT_SECONDS = 60;

    private final EventQueue queue = EventQueue.open();
    private final ExtendedSocket socket;
    private final int sends;
    private final ExsBuffers messages;
    private final RegisteredMemory header = RegisteredMemory.allocate(Long.BYTES);
    private final RegisteredMemory answer = RegisteredMemory.allocate(ExsServer.ANSWER_BYTES);
    private int pending; // sends
    private boolean answered;

    private ExsClient(int sends, int sizeBytes, int offset) throws IOException {
        this.sends = sends;
        messages = new ExsBuffers(sends, sizeBytes, offset);
        socket = ExtendedSocket.open(queue, SocketType.STREAM);
    }

    /** Connects one that has so many sends pending at most. */
    static ExsClient connect(int sends, int sizeBytes, int offset, int port) throws IOException, InterruptedException {
        ExsClient client = new ExsClient(sends, sizeBytes, offset);
        try {
            client.socket.connect(new InetSocketAddress(ServerHost.address(), port), null);
            client.take();
            return client;
        } catch (IOException | InterruptedException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Sends messages and waits for the answer.
     *
     * @param count how many
     * @return the time that this took, in nanoseconds
     */
    long send(long count) throws IOException, InterruptedException {
        long start = System.nanoTime();
        announce(Kind.PLAIN, count);
        for (long i = 0; i < count; i++) {
            send(freeBuffer(i));
        }
        awaitAnswer();
        return System.nanoTime() - start;
    }

    /**
     * Sends messages with random contents and compares the checksums of both ends.
     *
     * @param count how many
     */
    void verify(long count) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(SEED);
        CRC32C crc = new CRC32C();
        byte[] contents = new byte[messages.sizeBytes()];
        announce(Kind.CHECKED, count);
        for (long i = 0; i < count; i++) {
            random.nextBytes(contents);
            crc.update(contents);
            int index = freeBuffer(i);
            messages.bytes(index, contents.length).put(contents);
            send(index);
        }
        awaitAnswer();
        long received = answer.buffer().getLong(0);
        if (received != crc.getValue()) {
            throw new CorruptionException("CRC32C of " + count + " messages of " + contents.length + " bytes: sent "
                    + Long.toHexString(crc.getValue()) + ", received " + Long.toHexString(received));
        }
    }

    /** What the receiving process had used and moved when it answered last. */
    ExsCounts receiver() {
        ByteBuffer counts = answer.buffer().duplicate();
        return ExsCounts.decode(counts.position(Long.BYTES));
    }

    private void announce(Kind kind, long count) throws IOException {
        answered = false;
        socket.receiveAll(answer, 0, ExsServer.ANSWER_BYTES, null);
        header.buffer().putLong(0, new Header(kind, count * messages.sizeBytes()).encode());
        socket.send(header, 0, Long.BYTES, null);
        pending++;
    }

    /** Sends end in order, so that a message's buffer is free once fewer are pending than there are buffers. */
    private int freeBuffer(long message) throws IOException, InterruptedException {
        while (pending >= sends) {
            take();
        }
        return (int) (message % sends);
    }

    private void send(int index) throws IOException {
        socket.send(messages.memory(), messages.at(index), messages.sizeBytes(), null);
        pending++;
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        while (!answered || pending > 0) {
            take();
        }
    }

    private void take() throws IOException, InterruptedException {
        Event event = queue.dequeue(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (event == null) {
            throw new SocketTimeoutException("nothing ended within " + LIMIT_SECONDS + " s");
        } else if (event.failure() != null) {
            throw event.failure();
        } else if (event.kind() == Event.Kind.SEND) {
            pending--;
        } else if (event.kind() == Event.Kind.RECEIVE) {
            if (event.bytes() < ExsServer.ANSWER_BYTES) {
                throw new EOFException("the peer closed before it answered");
            }
            answered = true;
        }
    }

    @Override
    public void close() throws IOException {
        queue.close();
    }
}
