/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;

/**
 * A client's connection over an {@link AsynchronousSocketChannel}, on the threads of the default group: each handler
 * begins the next operation. The attachment is what is being written, null in a read.
 */
public final class AsyncCaller implements Caller, CompletionHandler<Integer, ByteBuffer> {
    private final AsynchronousSocketChannel channel;
    private final Call call;

    private AsyncCaller(AsynchronousSocketChannel channel, Call call) {
        this.channel = channel;
        this.call = call;
    }

    /**
     * Connects, and waits for that.
     *
     * @param port the server's port
     * @param call what to do with the connection
     * @return the connection
     * @throws IOException if it is refused
     */
    public static AsyncCaller connect(int port, Call call) throws IOException {
        return new AsyncCaller(AsyncLink.open(port), call);
    }

    @Override
    public void send() {
        try {
            ByteBuffer request = call.request();
            channel.write(request, request, this);
        } catch (RuntimeException e) {
            call.fail(e);
        }
    }

    @Override
    public void completed(Integer count, ByteBuffer request) {
        try {
            if (count < 0) {
                call.fail(new EOFException("the peer closed before it answered"));
            } else if (request != null && request.hasRemaining()) {
                channel.write(request, request, this);
            } else if (request != null || !call.isAnswered()) {
                channel.read(call.target(), null, this);
            } else if (call.isNextDue()) {
                send();
            }
        } catch (RuntimeException e) {
            call.fail(e);
        }
    }

    @Override
    public void failed(Throwable failure, ByteBuffer request) {
        call.fail(failure);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
