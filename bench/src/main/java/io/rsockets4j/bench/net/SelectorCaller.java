/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's non-blocking connection, one of those of {@link SelectorCallers}. Whoever sends a request writes it; what
 * does not fit, and the answer, are left to the selecting thread.
 */
final class SelectorCaller implements Caller {

    private final SelectionKey key;
    private final SocketChannel channel;
    private final Call call;
    /** Held while a request is sent: its answer may come before the sender has let go of the buffer. */
    private final ReentrantLock lock = new ReentrantLock();

    private ByteBuffer rest = Session.NOTHING; // guarded by lock

    SelectorCaller(SelectionKey key, SocketChannel channel, Call call) {
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

    /** Does what the connection is ready for, on the selecting thread. */
    void onReady() {
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
