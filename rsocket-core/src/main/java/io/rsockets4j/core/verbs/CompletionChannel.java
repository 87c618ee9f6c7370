/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/**
 * Where completion queues announce that they are no longer empty (ibv_comp_channel). One thread at a time waits here,
 * and one more at the {@link #twin}.
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

    /** Ends {@link #await}, now or the next one; a binding may take 50 ms where it has no better way. Any thread. */
    void wakeup();

    /**
     * Makes a second place to wait for the same events, with a {@link #wakeup} of its own. Each event goes to one of
     * those who wait; the other one may come back without.
     *
     * @return where a second thread may wait; or null where the binding lets one alone wait, or wakes nobody at once
     * @throws IOException if there are no more descriptors
     */
    CompletionChannel twin() throws IOException;
}
