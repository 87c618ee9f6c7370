/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/** Where completion queues announce that they are no longer empty (ibv_comp_channel). One thread waits. */
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
}
