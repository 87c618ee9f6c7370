/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The pending result of an operation. A thread that waits for it waits for the operation itself where that is possible,
 * as it would in a blocking call, so that no other thread has to wake it.
 *
 * @param <V> the type of the result
 */
final class OperationFuture<V> extends CompletableFuture<V> {
    private final Operation operation;
    private final Channel channel;

    OperationFuture(Operation operation, Channel channel) {
        this.operation = operation;
        this.channel = channel;
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        if (!super.isDone()) {
            operation.help(this, Long.MAX_VALUE);
        }
        return super.get();
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long nanos = unit.toNanos(timeout);
        if (super.isDone()) {
            return super.get(0, TimeUnit.NANOSECONDS);
        }
        long now = System.nanoTime();
        operation.attempt(this);
        operation.help(this, now + Math.min(nanos, Long.MAX_VALUE / 2));
        return super.get(nanos - (System.nanoTime() - now), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isDone() {
        if (!super.isDone()) {
            operation.attempt(this);
        }
        return super.isDone();
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        if (super.isDone() || !operation.cancel(this)) {
            return false;
        }
        if (mayInterrupt) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return true;
    }
}
