/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/**
 * Receives the completions of many queue pairs (ibv_cq). For one thread at a time; nothing here allocates.
 *
 * <p>{@link #poll} takes a batch of completions, whose parts can be read until the next poll. Of a failed completion
 * only {@link #workRequestId}, {@link #status} and {@link #vendorError} mean anything. What completes a work request of
 * a queue pair that was destroyed may still come: the work request's id tells.
 */
public interface CompletionQueue {
    /**
     * Takes completions (ibv_poll_cq).
     *
     * @return how many; 0 when there are none
     * @throws IOException if the queue is broken, for example because it overflowed
     */
    int poll() throws IOException;

    /**
     * Asks for one event at the channel with the next completion (ibv_req_notify_cq). Poll once more afterwards.
     *
     * @throws IOException if the device refuses
     */
    void requestNotification() throws IOException;

    /**
     * Which work request has completed.
     *
     * @param index in the batch
     * @return what was given when it was posted
     */
    long workRequestId(int index);

    /**
     * How it ended.
     *
     * @param index in the batch
     * @return {@link CompletionStatus#SUCCESS} or an error
     */
    int status(int index);

    /**
     * The device's own error code.
     *
     * @param index in the batch
     * @return for messages to people
     */
    int vendorError(int index);

    /**
     * Whether a receive was completed by a write with immediate rather than by a send.
     *
     * @param index in the batch, of a successful receive
     * @return true when {@link #immediate} has a value
     */
    boolean hasImmediate(int index);

    /**
     * The immediate value.
     *
     * @param index in the batch
     * @return in this machine's byte order
     */
    int immediate(int index);

    /**
     * The bytes that a receive got.
     *
     * @param index in the batch, of a successful receive
     * @return of the send, or of the write
     */
    int byteLength(int index);
}
