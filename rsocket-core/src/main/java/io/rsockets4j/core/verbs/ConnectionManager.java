/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/**
 * An event channel of the RDMA connection manager (rdma_cm). One thread, the owner, calls {@link #await} and destroys
 * identifiers; any thread may create identifiers and call {@link #wakeup}.
 */
public interface ConnectionManager extends AutoCloseable {
    /**
     * Creates an identifier whose events come by this channel (rdma_create_id, RDMA_PS_TCP).
     *
     * @return unbound
     * @throws IOException if the kernel refuses; without any RDMA device it says so
     */
    CmId createId() throws IOException;

    /**
     * Waits for the next event (rdma_get_cm_event) and acknowledges it. Owner only.
     *
     * @param timeoutMillis the longest wait; 0 does not wait, -1 waits without limit
     * @return null after a timeout or a {@link #wakeup}
     * @throws IOException if the channel fails
     */
    CmEvent await(int timeoutMillis) throws IOException;

    /** Ends the owner's {@link #await}, now or the next one; a binding may take 50 ms where it has no better way. */
    void wakeup();

    /** Closes the channel. All identifiers have been destroyed. Owner only. */
    @Override
    void close();
}
