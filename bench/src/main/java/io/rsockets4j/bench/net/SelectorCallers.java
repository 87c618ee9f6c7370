/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/** A client's connections that share one {@link SelectLoop}, which reads all answers. */
public final class SelectorCallers implements Closeable {
    private final SelectLoop loop = new SelectLoop();

    /**
     * Makes a selector without connections.
     *
     * @throws IOException if it cannot be opened
     */
    public SelectorCallers() throws IOException {}

    /**
     * Connects, before {@link #start}.
     *
     * @param port the server's port
     * @param call what to do with the connection
     * @throws IOException if it is refused
     */
    public Caller connect(int port, Call call) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(ServerHost.address(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        SelectionKey key = channel.register(loop.selector(), OP_READ);
        SelectorCaller caller = new SelectorCaller(key, channel, call);
        key.attach(caller);
        return caller;
    }

    /** Starts the thread. */
    public void start() {
        loop.start("select answers");
    }

    /** Lets the thread end, which closes the connections. */
    @Override
    public void close() {
        loop.close();
    }

    /**
     * A non-blocking connection. Whoever sends a request writes it; what does not fit, and the answer, are left to the
     * selecting thread.
     */
    static final class SelectorCaller implements Caller, SelectLoop.Handler {
        private final SelectionKey key;
        private final SocketChannel channel;
        private final Call call;
        /** Held while a request is sent: its answer may come before the sender has let go of the buffer. */
        private final ReentrantLock lock = new ReentrantLock();
        private ByteBuffer rest = ServerSession.NOTHING; // guarded by lock

        private SelectorCaller(SelectionKey key, SocketChannel channel, Call call) {
            this.key = key;
            this.channel = channel;
            this.call = call;
        }

        @Override
        public void send() {
            lock.lock();
            try {
                ByteBuffer request = call.request();
                channel.write(request);
                if (request.hasRemaining()) {
                    rest = request;
                    key.interestOps(OP_WRITE);
                    key.selector().wakeup();
                }
            } catch (IOException | RuntimeException e) {
                call.fail(e);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onReady() {
            lock.lock();
            try {
                if (key.isWritable()) {
                    writeRest();
                } else {
                    read();
                }
            } catch (IOException | RuntimeException e) {
                key.cancel();
                call.fail(e);
            } finally {
                lock.unlock();
            }
        }

        private void writeRest() throws IOException {
            channel.write(rest);
            if (!rest.hasRemaining()) {
                key.interestOps(OP_READ);
            }
        }

        private void read() throws IOException {
            int count = channel.read(call.target());
            if (count < 0) {
                throw new EOFException("the peer closed before it answered");
            }
            if (count > 0 && call.isAnswered() && call.isNextDue()) {
                send();
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
