/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.nio.channels.CompletionHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A completion handler that remembers what it was told, and by which thread.
 *
 * @param <V> the type of the result
 */
public final class Handled<V> implements CompletionHandler<V, Object> {
    private static final long PATIENCE_SECONDS = 20L * Machine.SLOWNESS;

    private final CountDownLatch done = new CountDownLatch(1);
    private volatile V result;
    private volatile Throwable failure;
    private volatile Object attachment;
    private volatile Thread thread;

    @Override
    public void completed(V value, Object with) {
        result = value;
        end(with);
    }

    @Override
    public void failed(Throwable cause, Object with) {
        failure = cause;
        end(with);
    }

    private void end(Object with) {
        if (thread != null) {
            failure = new AssertionError("the handler was invoked twice");
        }
        attachment = with;
        thread = Thread.currentThread();
        done.countDown();
    }

    /**
     * Waits for the result.
     *
     * @return what the operation completed with
     */
    public V result() {
        await();
        if (failure != null) {
            throw new AssertionError("the operation failed", failure);
        }
        return result;
    }

    /**
     * Waits for a failure.
     *
     * @return what the operation failed with
     */
    public Throwable failure() {
        await();
        if (failure == null) {
            throw new AssertionError("the operation completed with " + result);
        }
        return failure;
    }

    /** @return the thread that invoked the handler, once it has */
    public Thread thread() {
        await();
        return thread;
    }

    /** @return what the handler was given, once it was invoked */
    public Object attachment() {
        await();
        return attachment;
    }

    /** @return whether the handler has been invoked */
    public boolean isDone() {
        return done.getCount() == 0;
    }

    private void await() {
        try {
            if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("no handler was invoked for " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
