/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Payload;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Sends a message, waits for its echo, and so on. */
final class AsyncCaller implements CompletionHandler<Integer, Object> {
    private static final int CALLS = 500;

    private final AsynchronousSocketChannel channel;
    private final Payload payload;
    private final CountDownLatch finished;
    private final AtomicReference<Throwable> trouble;
    private final ByteBuffer buffer = ByteBuffer.allocate(64);
    private int calls;
    private boolean reading;

    AsyncCaller(AsynchronousSocketChannel channel, Payload payload, CountDownLatch finished,
            AtomicReference<Throwable> trouble) {
        this.channel = channel;
        this.payload = payload;
        this.finished = finished;
        this.trouble = trouble;
    }

    @Override
    public void completed(Integer count, Object unused) {
        if (buffer.hasRemaining()) {
            goOn();
        } else if (!reading) {
            reading = true;
            buffer.clear();
            goOn();
        } else {
            check();
        }
    }

    void call() {
        reading = false;
        buffer.clear();
        payload.fill(buffer, calls * 64L);
        buffer.flip();
        goOn();
    }

    private void goOn() {
        if (reading) {
            channel.read(buffer, null, this);
        } else {
            channel.write(buffer, null, this);
        }
    }

    private void check() {
        try {
            payload.check(buffer.flip(), calls * 64L);
        } catch (AssertionError e) {
            trouble.set(e);
        }
        if (++calls < CALLS) {
            call();
        } else {
            finished.countDown();
        }
    }

    @Override
    public void failed(Throwable cause, Object unused) {
        trouble.set(cause);
    }
}
