/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Server;
import io.rsockets4j.bench.net.ServerHost;
import io.rsockets4j.bench.work.SinkSession.Header;
import io.rsockets4j.bench.work.SinkSession.Header.Kind;
import io.rsockets4j.exs.Event;
import io.rsockets4j.exs.EventQueue;
import io.rsockets4j.exs.ExtendedListener;
import io.rsockets4j.exs.ExtendedSocket;
import io.rsockets4j.exs.RegisteredMemory;
import io.rsockets4j.exs.SocketType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * Swallows streams, on a thread of its own. Each starts with a {@link Header}; when all its bytes have come, their
 * CRC32C and this process' {@link ExsCounts} go back.
 */
final class ExsServer implements Server {
    /** The length of an answer. */
    static final int ANSWER_BYTES = Long.BYTES + ExsCounts.BYTES;

    private final EventQueue queue = EventQueue.open();
    private final ExtendedListener listener;
    private final int receives;
    private final int sizeBytes;
    private final int offset;
    private volatile boolean closed;

    private ExsServer(int receives, int sizeBytes, int offset) throws IOException {
        this.receives = receives;
        this.sizeBytes = sizeBytes;
        this.offset = offset;
        try {
            InetSocketAddress any = new InetSocketAddress(ServerHost.address(), 0);
            listener = ExtendedListener.open(queue, SocketType.STREAM, any, 0);
            listener.accept(null);
        } catch (IOException | RuntimeException e) {
            queue.close();
            throw e;
        }
    }

    /** Starts one that keeps so many receives pending for each connection. */
    static ExsServer start(int receives, int sizeBytes, int offset) throws IOException {
        ExsServer server = new ExsServer(receives, sizeBytes, offset);
        Thread thread = new Thread(server::run, "serve");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    @Override
    public int port() {
        try {
            return listener.localAddress().getPort();
        } catch (IOException e) {
            throw new IllegalStateException(e); // closed
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        queue.close();
    }

    private void run() {
        try {
            while (true) {
                Event event = queue.dequeue(1, TimeUnit.HOURS);
                if (event != null) {
                    serve(event);
                }
            }
        } catch (IOException | InterruptedException e) {
            if (!closed) {
                System.err.println(Thread.currentThread().getName() + ": " + e);
            }
        }
    }

    private void serve(Event event) throws IOException {
        if (event.kind() == Event.Kind.RECEIVE) {
            ((Buffer) event.context()).received(event);
        } else if (event.failure() != null) {
            System.err.println(Thread.currentThread().getName() + ": " + event);
        } else if (event.kind() == Event.Kind.ACCEPT) {
            new Sink(event.accepted()).start();
            listener.accept(null);
        }
    }

    /** One of a connection's buffers, which a receive fills. */
    private record Buffer(Sink sink, int index) {
        void received(Event event) throws IOException {
            if (event.failure() != null || event.bytes() < 0) {
                sink.socket.close();
            } else {
                sink.consume(sink.buffers.bytes(index, event.bytes()));
                sink.receive(this);
            }
        }
    }

    /** One connection. */
    private final class Sink {
        private final ExtendedSocket socket;
        private final ExsBuffers buffers = new ExsBuffers(receives, sizeBytes, offset);
        private final RegisteredMemory answer = RegisteredMemory.allocate(ANSWER_BYTES);
        private final ByteBuffer header = ByteBuffer.allocate(Long.BYTES);
        private final CRC32C crc = new CRC32C();
        private Header stream;
        private long remainingBytes;

        Sink(ExtendedSocket socket) {
            this.socket = socket;
        }

        void start() throws IOException {
            for (int i = 0; i < receives; i++) {
                receive(new Buffer(this, i));
            }
        }

        void receive(Buffer buffer) throws IOException {
            try {
                socket.receive(buffers.memory(), buffers.at(buffer.index()), sizeBytes, buffer);
            } catch (ClosedChannelException e) {
                buffer.sink().socket.close(); // idempotent: it failed while other receives were served
            }
        }

        void consume(ByteBuffer bytes) throws IOException {
            if (remainingBytes == 0) {
                while (header.hasRemaining() && bytes.hasRemaining()) {
                    header.put(bytes.get());
                }
                if (header.hasRemaining()) {
                    return;
                }
                stream = Header.decode(header.getLong(0));
                header.clear();
                crc.reset();
                remainingBytes = stream.lengthBytes();
            }
            remainingBytes -= bytes.remaining();
            if (stream.kind() == Kind.CHECKED) {
                crc.update(bytes);
            }
            if (remainingBytes == 0) {
                ByteBuffer out = answer.buffer().clear();
                ExsCounts.now().encode(out.putLong(crc.getValue()));
                socket.send(answer, 0, ANSWER_BYTES, null);
            }
        }
    }
}
