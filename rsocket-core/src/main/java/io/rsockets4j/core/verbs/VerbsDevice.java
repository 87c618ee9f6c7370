/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/** An open RDMA device (ibv_context). Thread-safe. */
public interface VerbsDevice {
    /**
     * The device's name.
     *
     * @return for example {@code mlx5_0}
     */
    String name();

    /**
     * Whether it knows RDMA WRITE WITH IMMEDIATE; iWARP devices do not.
     *
     * @return false where a write must be followed by a send
     */
    boolean hasImmediate();

    /**
     * The most entries that a completion queue can have.
     *
     * @return max_cqe
     */
    int maxCompletions();

    /**
     * Allocates a protection domain (ibv_alloc_pd).
     *
     * @return kept until it is deallocated
     * @throws IOException if the device refuses
     */
    ProtectionDomain allocateProtectionDomain() throws IOException;

    /**
     * Creates a completion channel (ibv_create_comp_channel).
     *
     * @return kept as long as the process runs
     * @throws IOException if the kernel refuses
     */
    CompletionChannel createCompletionChannel() throws IOException;

    /**
     * Creates a completion queue (ibv_create_cq).
     *
     * @param channel where its events come, a channel of this device
     * @param entries its capacity
     * @return kept as long as the process runs
     * @throws IOException if the device refuses
     */
    CompletionQueue createCompletionQueue(CompletionChannel channel, int entries) throws IOException;
}
