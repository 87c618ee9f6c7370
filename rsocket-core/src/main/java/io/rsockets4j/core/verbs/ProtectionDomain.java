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
     * @return direct; kept while it is registered, or something refers to it or a slice of it
     * @throws IOException if there is no memory
     */
    ByteBuffer allocate(int bytes) throws IOException;

    /**
     * Registers memory (ibv_reg_mr): pins it and lets the device read and write it.
     *
     * @param memory direct: what {@link #allocate} returned, or a program's; from its position to its limit
     * @param remoteWrite whether a peer that has the key may write to it (IBV_ACCESS_REMOTE_WRITE)
     * @return kept until it is given to {@link #deregister}
     * @throws IOException if the device or the kernel refuses; ENOMEM usually means RLIMIT_MEMLOCK
     */
    MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws IOException;

    /**
     * Ends a registration (ibv_dereg_mr): nothing is pinned for it any more, and its keys are worth nothing. No work
     * request that names it is outstanding.
     *
     * @param region what {@link #register} returned, once
     * @throws IOException if the device refuses; the memory stays registered
     */
    void deregister(MemoryRegion region) throws IOException;

    /**
     * Ends this domain (ibv_dealloc_pd). Nothing is registered with it any more, and none of its queue pairs is left.
     *
     * @throws IOException if the device refuses; the domain stays
     */
    void deallocate() throws IOException;
}
