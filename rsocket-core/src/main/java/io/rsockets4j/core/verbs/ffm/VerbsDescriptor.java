/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

/** Offsets, sizes and constants of libibverbs (verbs.h), for 64-bit pointers, beside those of VerbsStructs. */
final class VerbsDescriptor {
    // struct ibv_context: the functions that C programs call inline
    static final long CONTEXT_DEVICE = 0;
    static final long CONTEXT_POLL_CQ = 96;
    static final long CONTEXT_REQ_NOTIFY_CQ = 104;
    static final long CONTEXT_POST_SEND = 208;
    static final long CONTEXT_POST_RECV = 216;

    // struct ibv_device
    static final long DEVICE_TRANSPORT = 20;
    static final long DEVICE_NAME = 24;
    static final int TRANSPORT_IWARP = 1;

    // struct ibv_device_attr
    static final long DEVICE_ATTR_BYTES = 232;
    static final long DEVICE_ATTR_MAX_CQE = 132;

    // struct ibv_comp_channel
    static final long COMP_CHANNEL_FD = 8;

    // struct ibv_mr
    static final long MR_LKEY = 36;
    static final long MR_RKEY = 40;
    static final int ACCESS_LOCAL_WRITE = 1;
    static final int ACCESS_REMOTE_WRITE = 2;

    // struct ibv_qp_init_attr
    static final long QP_INIT_ATTR_BYTES = 64;
    static final long QP_INIT_SEND_CQ = 8;
    static final long QP_INIT_RECV_CQ = 16;
    static final long QP_INIT_MAX_SEND_WR = 32;
    static final long QP_INIT_MAX_RECV_WR = 36;
    static final long QP_INIT_MAX_SEND_SGE = 40;
    static final long QP_INIT_MAX_RECV_SGE = 44;
    static final long QP_INIT_MAX_INLINE = 48;
    static final long QP_INIT_TYPE = 52;
    static final int QP_TYPE_RC = 2;

    // struct ibv_qp_attr: only its address vector
    static final long QP_ATTR_BYTES = 144;
    static final long QP_ATTR_GID_INDEX = 76; // one byte
    static final long QP_ATTR_IS_GLOBAL = 85; // one byte: whether there is a GID
    static final long QP_ATTR_PORT = 86; // one byte
    static final int QP_ATTR_ADDRESS_VECTOR = 128;

    private VerbsDescriptor() { }
}
