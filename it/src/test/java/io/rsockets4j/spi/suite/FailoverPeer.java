/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The server of {@link LinkFailoverTest}. A connection begins with its number and its kind. Each has streams of its own
 * in both directions, so bytes of another connection are found. At the end the server says how many it got and sent.
 */
final class FailoverPeer {
    static final int PORT = 7400;
    static final int ROUND_TRIPS = 1;
    static final int STREAM = 2;
    /** Before each request: its length, and that of the answer; zeros end the connection. */
    static final int HEADER = 2 * Integer.BYTES;
    static final int LARGEST = 200_000;
    /** At the end: how many bytes the server got, and how many it sent. */
    static final int TOTALS = 2 * Long.BYTES;
    static final int CHUNK = 10_000;
    /** Between two chunks of a stream, so that the emulated processors have time for the others. */
    static final long PACE_NANOS = 20_000_000;

    private static final int BACKLOG = 100;
    private static final int ANSWERS = 1000; // added to a connection's number: the seed of what the server sends

    private FailoverPeer() {
    }

    static Payload requests(int connection) {
        return new Payload(connection);
    }

    static Payload answers(int connection) {
        return new Payload(ANSWERS + connection);
    }

    /**
     * Serves until it is killed.
     *
     * @param args none
     * @throws IOException when it cannot listen
     */
    public static void main(String[] args) throws IOException {
        ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(Machine.address(), PORT), BACKLOG);
        System.out.println("listening");
        for (;;) {
            SocketChannel accepted = server.accept();
            start(() -> serve(accepted));
        }
    }

    private static Thread start(Runnable body) {
        Thread thread = new Thread(body, "serve");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Wrong bytes end the connection, so the client fails too. */
    private static void serve(SocketChannel channel) {
        String name = "connection";
        try (channel) {
            ByteBuffer begin = Wire.readFully(channel, ByteBuffer.allocate(HEADER)).flip();
            int number = begin.getInt();
            name += " " + number;
            if (begin.getInt() == STREAM) {
                stream(channel, number);
            } else {
                answer(channel, number);
            }
            System.out.println(name + " ended well");
        } catch (IOException | AssertionError | IllegalArgumentException | InterruptedException e) {
            System.out.println(name + " failed: " + e);
        }
    }

    private static void answer(SocketChannel channel, int number) throws IOException {
        Payload requests = requests(number);
        Payload answers = answers(number);
        ByteBuffer buffer = ByteBuffer.allocateDirect(LARGEST);
        long received = 0;
        long sent = 0;
        for (;;) {
            Wire.readFully(channel, buffer.clear().limit(HEADER)).flip();
            int request = buffer.getInt();
            int answer = buffer.getInt();
            if (request == 0) {
                break;
            }
            requests.check(Wire.readFully(channel, buffer.clear().limit(request)).flip(), received);
            received += request;
            answers.fill(buffer.clear().limit(answer), sent);
            Wire.writeFully(channel, buffer.flip());
            sent += answer;
        }
        writeTotals(channel, received, sent);
    }

    /** Both directions at once, until the client's ends. */
    private static void stream(SocketChannel channel, int number) throws IOException, InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong sent = new AtomicLong();
        Thread writer = start(() -> sent.set(send(channel, answers(number), ended)));
        long received = 0;
        try {
            Payload requests = requests(number);
            ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
            for (int count = channel.read(buffer); count >= 0; count = channel.read(buffer.clear())) {
                requests.check(buffer.flip(), received);
                received += count;
            }
        } finally {
            ended.set(true);
        }
        writer.join();
        writeTotals(channel, received, sent.get());
    }

    private static long send(SocketChannel channel, Payload payload, AtomicBoolean ended) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
        long sent = 0;
        try {
            while (!ended.get()) {
                payload.fill(buffer.clear(), sent);
                Wire.writeFully(channel, buffer.flip());
                sent += CHUNK;
                LockSupport.parkNanos(PACE_NANOS);
            }
        } catch (IOException e) {
            System.out.println("a stream's writer failed: " + e);
        }
        return sent;
    }

    private static void writeTotals(SocketChannel channel, long received, long sent) throws IOException {
        Wire.writeFully(channel, ByteBuffer.allocate(TOTALS).putLong(received).putLong(sent).flip());
    }
}
