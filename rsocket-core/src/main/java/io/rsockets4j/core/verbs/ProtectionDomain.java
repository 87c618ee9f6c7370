/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Keeps together the queue pairs and the memory they may touch (ibv_pd). Thread-safe. */
public interface ProtectionDomain {
    /**
     * Allocates zeroed memory that starts at a page and is fit for registration, outside of the limit that a program
     * may have set for its own direct buffers where the binding can do so.
     *
     * @param bytes its size, a multiple of 4096
     * @return direct; kept as long as the process runs
     * @throws IOException if there is no memory
     */
    ByteBuffer allocate(int bytes) throws IOException;

    /**
     * Registers memory (ibv_reg_mr): pins it and lets the device read and write it.
     *
     * @param memory what {@link #allocate} returned, or a slice of it; position 0 to limit
     * @param remoteWrite whether a peer that has the key may write to it (IBV_ACCESS_REMOTE_WRITE)
     * @return kept as long as the process runs
     * @throws IOException if the device or the kernel refuses; ENOMEM usually means RLIMIT_MEMLOCK
     */
    MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws IOException;
}
