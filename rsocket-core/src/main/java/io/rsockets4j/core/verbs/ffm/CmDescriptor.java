/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

/** Offsets, sizes and constants of librdmacm (rdma_cma.h), for 64-bit pointers. */
final class CmDescriptor {
    static final int PORT_SPACE_TCP = 0x106;

    // struct rdma_event_channel
    static final long CHANNEL_FD = 0;

    // struct rdma_cm_id
    static final long ID_VERBS = 0;
    static final long ID_QP = 24;
    static final long ID_SOURCE = 32;
    static final long ID_DESTINATION = 160;

    // struct rdma_cm_event
    static final long EVENT_ID = 0;
    static final long EVENT_LISTENER = 8;
    static final long EVENT_TYPE = 16;
    static final long EVENT_STATUS = 20;
    static final long EVENT_PRIVATE = 24; // of its struct rdma_conn_param
    static final long EVENT_PRIVATE_BYTES = 32; // one byte

    // struct rdma_conn_param
    static final long CONN_PARAM_BYTES = 24;
    static final long CONN_PARAM_RESPONDER_RESOURCES = 9;
    static final long CONN_PARAM_INITIATOR_DEPTH = 10;
    static final long CONN_PARAM_FLOW_CONTROL = 11;
    static final long CONN_PARAM_RETRY_COUNT = 12;
    static final long CONN_PARAM_RNR_RETRY_COUNT = 13;

    // rdma_set_option
    static final int OPTION_LEVEL_ID = 0;
    static final int OPTION_ADDRESS_FAMILY_ONLY = 2;

    private CmDescriptor() { }
}
