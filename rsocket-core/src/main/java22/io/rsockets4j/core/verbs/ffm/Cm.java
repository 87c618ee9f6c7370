/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static io.rsockets4j.core.verbs.ffm.NativeFunction.INT;
import static io.rsockets4j.core.verbs.ffm.NativeFunction.POINTER;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/** The functions of librdmacm. */
final class Cm {
    static final NativeFunction CREATE_EVENT_CHANNEL = function("rdma_create_event_channel", POINTER);
    static final NativeFunction DESTROY_EVENT_CHANNEL = function("rdma_destroy_event_channel", null, POINTER);
    static final NativeFunction GET_EVENT = function("rdma_get_cm_event", INT, POINTER, POINTER);
    static final NativeFunction ACK_EVENT = function("rdma_ack_cm_event", INT, POINTER);
    static final NativeFunction CREATE_ID = function("rdma_create_id", INT, POINTER, POINTER, POINTER, INT);
    static final NativeFunction DESTROY_ID = function("rdma_destroy_id", INT, POINTER);
    static final NativeFunction SET_OPTION = function("rdma_set_option", INT, POINTER, INT, INT, POINTER, POINTER);
    static final NativeFunction RESOLVE_ADDR = function("rdma_resolve_addr", INT, POINTER, POINTER, POINTER, INT);
    static final NativeFunction RESOLVE_ROUTE = function("rdma_resolve_route", INT, POINTER, INT);
    static final NativeFunction BIND_ADDR = function("rdma_bind_addr", INT, POINTER, POINTER);
    static final NativeFunction LISTEN = function("rdma_listen", INT, POINTER, INT);
    static final NativeFunction CREATE_QP = function("rdma_create_qp", INT, POINTER, POINTER, POINTER);
    static final NativeFunction DESTROY_QP = function("rdma_destroy_qp", null, POINTER);
    static final NativeFunction CONNECT = function("rdma_connect", INT, POINTER, POINTER);
    static final NativeFunction ACCEPT = function("rdma_accept", INT, POINTER, POINTER);
    static final NativeFunction REJECT = function("rdma_reject", INT, POINTER, POINTER, ValueLayout.JAVA_BYTE);
    static final NativeFunction DISCONNECT = function("rdma_disconnect", INT, POINTER);

    private Cm() { }

    private static NativeFunction function(String name, MemoryLayout result, MemoryLayout... parameters) {
        return new NativeFunction(NativeLibraries.rdmacm(), name, result, parameters);
    }
}
