/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

/**
 * A reliable connected queue pair (ibv_qp). Posting to one queue is for one thread at a time; the two queues are
 * independent. Nothing here allocates.
 *
 * <p>Memory of a work request belongs to the device until its completion, or with {@link #INLINE} until the post
 * returns. A work request without {@link #SIGNALED} completes silently, unless it fails.
 */
public interface QueuePair {
    /** Flag: report success as well (IBV_SEND_SIGNALED). */
    int SIGNALED = 1;

    /** Flag: copy the bytes into the work request (IBV_SEND_INLINE); at most {@link #inlineBytes}. */
    int INLINE = 2;

    /**
     * How many bytes fit into a work request.
     *
     * @return possibly less than asked for
     */
    int inlineBytes();

    /**
     * Where its packets come from, once it is connected (ibv_query_qp). The caller keeps it from being destroyed
     * meanwhile.
     *
     * @return null where the binding cannot tell
     * @throws VerbsException if the device refuses
     */
    default PortGid source() throws VerbsException {
        return null;
    }

    /**
     * Posts a receive (ibv_post_recv).
     *
     * @param workRequestId comes back with the completion
     * @param address where the bytes of a send go
     * @param length room there
     * @param localKey of its region
     * @throws VerbsException if the receive queue is full or broken
     */
    void postReceive(long workRequestId, long address, int length, int localKey) throws VerbsException;

    /**
     * Posts a send (IBV_WR_SEND).
     *
     * @param workRequestId comes back with the completion
     * @param address the bytes to send
     * @param length how many
     * @param localKey of their region
     * @param flags {@link #SIGNALED}, {@link #INLINE}
     * @throws VerbsException if the send queue is full or broken
     */
    void postSend(long workRequestId, long address, int length, int localKey, int flags) throws VerbsException;

    /**
     * Posts an RDMA write (IBV_WR_RDMA_WRITE), of which the peer's software learns nothing.
     *
     * @param workRequestId comes back with the completion
     * @param address the bytes to write; any value when {@code length} is 0
     * @param length how many
     * @param localKey of their region
     * @param remoteAddress where to, in the peer's process
     * @param remoteKey of the peer's region
     * @param flags {@link #SIGNALED}, {@link #INLINE}
     * @throws VerbsException if the send queue is full or broken
     */
    void postWrite(long workRequestId, long address, int length, int localKey, long remoteAddress, int remoteKey,
            int flags) throws VerbsException;

    /**
     * Posts an RDMA write that completes one of the peer's receives (IBV_WR_RDMA_WRITE_WITH_IMM).
     *
     * @param workRequestId comes back with the completion
     * @param address the bytes to write
     * @param length how many
     * @param localKey of their region
     * @param remoteAddress where to, in the peer's process
     * @param remoteKey of the peer's region
     * @param flags {@link #SIGNALED}, {@link #INLINE}
     * @param immediate comes with the peer's completion
     * @throws VerbsException if the send queue is full or broken
     */
    void postWriteWithImmediate(long workRequestId, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags, int immediate) throws VerbsException;
}
