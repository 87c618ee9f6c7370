/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for the control plane. */
public final class Futures {
    private Futures() { }

    /**
     * Waits without being disturbed by interrupts, whose status is kept.
     *
     * @param <T> what is awaited
     * @param future completed by a thread of the fabric
     * @param deadlineNanos a {@link System#nanoTime} value
     * @return the future's value
     * @throws IOException the future's cause, or a timeout
     */
    public static <T> T await(CompletableFuture<T> future, long deadlineNanos) throws IOException {
        boolean interrupted = false;
        try {
            for (;;) {
                try {
                    return future.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new PathException(Reason.TIMEOUT, "the peer did not answer in time", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
