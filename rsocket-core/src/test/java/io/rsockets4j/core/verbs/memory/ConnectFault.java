/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

/** How connecting to an address fails. */
public enum ConnectFault {
    /** There is no RDMA device on the way: resolving the address throws. */
    NO_DEVICE,
    /** Resolving the address is answered by an error. */
    NO_ADDRESS,
    /** Resolving the route is answered by an error. */
    NO_ROUTE,
    /** Connecting is answered by UNREACHABLE. */
    UNREACHABLE,
    /** Connecting is answered by REJECTED, whoever listens. */
    REFUSED,
    /** Connecting is never answered. */
    SILENT
}
