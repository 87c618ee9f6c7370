/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

/**
 * Something that happened to an identifier (rdma_cm_event). It has been acknowledged already.
 *
 * @param type what happened
 * @param id to which one; a new one for {@link Type#CONNECT_REQUEST}
 * @param listener where a connect request came in, otherwise null
 * @param status for failures a negative errno, or for rejections the reason of the transport; else 0
 * @param said for rejections what the peer gave to {@link CmId#reject}, where the binding can tell; else 0
 */
public record CmEvent(Type type, CmId id, CmId listener, int status, byte said) {
    /** The kinds of events, in the order of rdma_cma.h. */
    public enum Type {
        /** The destination's device and address are known. */
        ADDR_RESOLVED,
        /** The destination cannot be reached by an RDMA device. */
        ADDR_ERROR,
        /** The way to the destination is known. */
        ROUTE_RESOLVED,
        /** There is no way to the destination. */
        ROUTE_ERROR,
        /** A peer wants to connect. */
        CONNECT_REQUEST,
        /** A peer has answered, for those that make their queue pairs ready themselves; not used here. */
        CONNECT_RESPONSE,
        /** Connecting failed. */
        CONNECT_ERROR,
        /** The peer does not answer. */
        UNREACHABLE,
        /** The peer has refused: usually nobody listens at that port. */
        REJECTED,
        /** The connection stands. */
        ESTABLISHED,
        /** The peer has disconnected, or its process has ended. */
        DISCONNECTED,
        /** The device has gone: destroy the identifier. */
        DEVICE_REMOVAL,
        /** A multicast group was joined; not used here. */
        MULTICAST_JOIN,
        /** Joining a multicast group failed; not used here. */
        MULTICAST_ERROR,
        /** The network address has moved to another device. */
        ADDR_CHANGE,
        /** The queue pair may be used for a new connection. */
        TIMEWAIT_EXIT
    }
}
