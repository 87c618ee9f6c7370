/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

/**
 * The structs of libibverbs (verbs.h) that are written and read for messages, on 64-bit Linux: sizes and offsets in
 * bytes, and constants, as far as they are used. A work request, of either kind, is kept with its only scatter/gather
 * element right behind it. Constants only.
 */
public final class VerbsStructs {
    /** The size of struct ibv_sge. */
    public static final int SGE_BYTES = 16;
    /** Of its memory, a long. */
    public static final int SGE_ADDRESS = 0;
    /** Of its length, an int. */
    public static final int SGE_LENGTH = 8;
    /** Of the local key of its memory, an int. */
    public static final int SGE_KEY = 12;

    /** Of what its completion brings back, a long: at the begin of both kinds of work requests, as the next two. */
    public static final int REQUEST_ID = 0;
    /** Of the pointer to its scatter/gather elements, a long. */
    public static final int REQUEST_SGE_LIST = 16;
    /** Of how many those are, an int. */
    public static final int REQUEST_SGE_COUNT = 24;

    /** The size of struct ibv_send_wr. Its end, for other kinds, has grown over time; unused, it stays zero. */
    public static final int SEND_BYTES = 128;
    /** Of what is to be done, an int: {@link #OPCODE_WRITE} and so on. */
    public static final int SEND_OPCODE = 28;
    /** Of the flags, an int: {@link #FLAG_SIGNALED} and so on. */
    public static final int SEND_FLAGS = 32;
    /** Of the immediate data, an int in the network's byte order. */
    public static final int SEND_IMMEDIATE = 36;
    /** Of where a write goes, a long. */
    public static final int SEND_REMOTE_ADDRESS = 40;
    /** Of the remote key of a write, an int. */
    public static final int SEND_REMOTE_KEY = 48;
    /** IBV_WR_RDMA_WRITE. */
    public static final int OPCODE_WRITE = 0;
    /** IBV_WR_RDMA_WRITE_WITH_IMM. */
    public static final int OPCODE_WRITE_WITH_IMMEDIATE = 1;
    /** IBV_WR_SEND. */
    public static final int OPCODE_SEND = 2;
    /** IBV_SEND_SIGNALED. */
    public static final int FLAG_SIGNALED = 2;
    /** IBV_SEND_INLINE. */
    public static final int FLAG_INLINE = 8;

    /** The size of struct ibv_recv_wr. */
    public static final int RECEIVE_BYTES = 32;

    /** The size of struct ibv_wc. */
    public static final int COMPLETION_BYTES = 48;
    /** Of what the request was given, a long. */
    public static final int COMPLETION_ID = 0;
    /** Of how it ended, an int. */
    public static final int COMPLETION_STATUS = 8;
    /** Of the kind of request that has ended, an int. */
    public static final int COMPLETION_OPCODE = 12;
    /** Of the error of the device's own, an int. */
    public static final int COMPLETION_VENDOR_ERROR = 16;
    /** Of how many bytes came, an int. */
    public static final int COMPLETION_BYTE_LENGTH = 20;
    /** Of the immediate data, an int in the network's byte order. */
    public static final int COMPLETION_IMMEDIATE = 24;
    /** Of the flags, an int: {@link #FLAG_WITH_IMMEDIATE}. */
    public static final int COMPLETION_FLAGS = 36;
    /** IBV_WC_WITH_IMM. */
    public static final int FLAG_WITH_IMMEDIATE = 2;

    private VerbsStructs() { }
}
