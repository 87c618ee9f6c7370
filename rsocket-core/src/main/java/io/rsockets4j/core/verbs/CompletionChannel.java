/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/**
 * Where completion queues announce that they are no longer empty (ibv_comp_channel). One thread waits; another one may
 * wait in front of it, where the binding can. Which of the two gets an event is a matter of speed alone: if the one in
 * front does not wait just then, the other one gets it.
 */
public interface CompletionChannel {
    /**
     * Waits for the event of a completion queue and acknowledges it (ibv_get_cq_event, ibv_ack_cq_events).
     *
     * @param timeoutMillis the longest wait; 0 does not wait, -1 waits without limit
     * @return the completion queue, or null after a timeout or a {@link #wakeup}
     * @throws IOException if the channel fails
     */
    CompletionQueue await(int timeoutMillis) throws IOException;

    /** Ends {@link #await}, now or the next one, where the binding can. Any thread. */
    void wakeup();

    /**
     * Whether a second thread can wait.
     *
     * @return whether the following may be called; always the same
     */
    boolean hasFront();

    /**
     * As {@link #await}, for one thread at a time that gets the events while it waits.
     *
     * @param timeoutMillis the longest wait; 0 does not wait, -1 waits without limit
     * @return the completion queue, or null after a timeout or a {@link #wakeupInFront}, or if the other one took it
     * @throws IOException if the channel fails
     */
    CompletionQueue awaitInFront(int timeoutMillis) throws IOException;

    /** Ends {@link #awaitInFront}, now or the next one. Any thread. */
    void wakeupInFront();
}
