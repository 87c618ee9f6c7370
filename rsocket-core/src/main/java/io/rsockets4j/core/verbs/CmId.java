/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A communication identifier (rdma_cm_id): the RDMA counterpart of a socket. Its methods may be called by any thread,
 * one at a time, but {@link #destroy} by the owner of its {@link ConnectionManager} alone. The steps that wait for the
 * network return at once and answer by an event.
 */
public interface CmId {
    /**
     * Finds the device and the addresses for a destination (rdma_resolve_addr); answered by an event.
     *
     * @param source where to connect from, or null for what the kernel chooses
     * @param destination resolved; IPv4 or IPv6
     * @param timeoutMillis how long this may take
     * @throws IOException if there is no RDMA device on the way there
     */
    void resolveAddress(InetSocketAddress source, InetSocketAddress destination, int timeoutMillis)
            throws IOException;

    /**
     * Finds the route to the destination (rdma_resolve_route); answered by an event.
     *
     * @param timeoutMillis how long this may take
     * @throws IOException if there is none
     */
    void resolveRoute(int timeoutMillis) throws IOException;

    /**
     * Binds to an address (rdma_bind_addr).
     *
     * @param address may be the wildcard: all devices
     * @param ipv4Only whether an IPv4 wildcard means IPv4 alone; a wildcard means both families otherwise
     * @throws IOException if the address is in use, or not one of an RDMA device
     */
    void bind(InetSocketAddress address, boolean ipv4Only) throws IOException;

    /**
     * Listens for connect requests, which come as events (rdma_listen).
     *
     * @param backlog how many may wait
     * @throws IOException if the kernel refuses
     */
    void listen(int backlog) throws IOException;

    /**
     * The device, once the address is resolved or the connect request has come.
     *
     * @return the same object for the same device, within a binding
     * @throws IOException if there is none
     */
    VerbsDevice device() throws IOException;

    /**
     * Creates this identifier's reliable connected queue pair (rdma_create_qp), whose states follow the connection's.
     *
     * @param domain protection domain of {@link #device}
     * @param options queues and their sizes
     * @return destroyed by {@link #destroy}
     * @throws IOException if the device refuses, with the reason
     */
    QueuePair createQueuePair(ProtectionDomain domain, QueuePairOptions options) throws IOException;

    /**
     * Asks the peer for a connection (rdma_connect); answered by an event.
     *
     * @throws IOException if the kernel refuses
     */
    void connect() throws IOException;

    /**
     * Accepts a connect request (rdma_accept); answered by an event.
     *
     * @throws IOException if the peer is no longer there
     */
    void accept() throws IOException;

    /**
     * Rejects a connect request (rdma_reject), where the binding can; else the peer finds out when this is destroyed.
     *
     * @param why what the peer's event says, where the binding can send it; 0 for nothing
     * @throws IOException if the peer is no longer there
     */
    void reject(byte why) throws IOException;

    /**
     * Ends the connection (rdma_disconnect): the queue pair goes to the error state and flushes its work requests; the
     * peer gets an event.
     *
     * @throws IOException if there is no connection
     */
    void disconnect() throws IOException;

    /**
     * This end's address on the RDMA network.
     *
     * @return null when not known or the binding cannot tell
     */
    InetSocketAddress localAddress();

    /**
     * The peer's address on the RDMA network.
     *
     * @return null when not known or the binding cannot tell
     */
    InetSocketAddress peerAddress();

    /** Destroys the queue pair, if there is one, and this identifier. No event comes for it any more. Idempotent. */
    void destroy();
}
