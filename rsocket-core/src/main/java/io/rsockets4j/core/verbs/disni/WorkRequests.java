/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsStructs;
import java.nio.ByteBuffer;

/**
 * One struct ibv_send_wr and one ibv_recv_wr, each with its scatter/gather element, written anew for each post: the
 * device driver copies them before the post returns. Each is for one thread at a time.
 */
final class WorkRequests {
    private static final int CACHE_LINES = 128; // the two are written by different threads
    private static final int SEND_SGE = VerbsStructs.SEND_BYTES;
    private static final int RECEIVE = SEND_SGE + CACHE_LINES;
    private static final int RECEIVE_SGE = RECEIVE + VerbsStructs.RECEIVE_BYTES;

    /** What both take. */
    static final int BYTES = RECEIVE_SGE + VerbsStructs.SGE_BYTES;

    private final ByteBuffer structs;
    private final long address;

    /**
     * Takes memory into use.
     *
     * @param structs zeroed, of {@link #BYTES}
     */
    WorkRequests(ByteBuffer structs) {
        this.structs = structs;
        address = DirectMemory.address(structs);
        structs.putLong(VerbsStructs.REQUEST_SGE_LIST, address + SEND_SGE);
        structs.putLong(RECEIVE + VerbsStructs.REQUEST_SGE_LIST, address + RECEIVE_SGE);
    }

    /** Writes a send or a write but for what {@link #remote} says, and returns the struct's address. */
    long send(int opcode, long id, long from, int length, int key, int flags, int immediate) {
        structs.putLong(VerbsStructs.REQUEST_ID, id);
        structs.putInt(VerbsStructs.SEND_OPCODE, opcode);
        structs.putInt(VerbsStructs.SEND_FLAGS, ((flags & QueuePair.SIGNALED) != 0 ? VerbsStructs.FLAG_SIGNALED : 0)
                | ((flags & QueuePair.INLINE) != 0 ? VerbsStructs.FLAG_INLINE : 0));
        structs.putInt(VerbsStructs.SEND_IMMEDIATE, DirectMemory.swap(immediate));
        structs.putInt(VerbsStructs.REQUEST_SGE_COUNT, elements(SEND_SGE, from, length, key));
        return address;
    }

    /** Writes where a write goes. */
    void remote(long to, int key) {
        structs.putLong(VerbsStructs.SEND_REMOTE_ADDRESS, to);
        structs.putInt(VerbsStructs.SEND_REMOTE_KEY, key);
    }

    /** Writes a receive, and returns the struct's address. */
    long receive(long id, long to, int length, int key) {
        structs.putLong(RECEIVE + VerbsStructs.REQUEST_ID, id);
        structs.putInt(RECEIVE + VerbsStructs.REQUEST_SGE_COUNT, elements(RECEIVE_SGE, to, length, key));
        return address + RECEIVE;
    }

    /** No element stands for no bytes: some devices take a length of 0 for 2 GiB. */
    private int elements(int at, long where, int length, int key) {
        structs.putLong(at + VerbsStructs.SGE_ADDRESS, where);
        structs.putInt(at + VerbsStructs.SGE_LENGTH, length);
        structs.putInt(at + VerbsStructs.SGE_KEY, key);
        return length == 0 ? 0 : 1;
    }
}
