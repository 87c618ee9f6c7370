/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The RDMA fabric: connections over verbs, whatever binding implements them.
 *
 * <p>From the bottom up: {@code RingSlab}, {@code RingSlot} and {@code RingPool} hold registered memory; {@code
 * SendQueue} posts work requests and keeps the credits; {@code MirrorRing} and {@code ArrivalRing} are the two halves
 * of a stream; {@code RdmaConnection} owns a queue pair and serves its completions; {@code RdmaLink} is what doors see.
 * {@code CompletionPoller} and {@code CompletionThread} fetch completions for all connections of a device, {@code
 * CmThread} runs the connection manager, {@code ConnectAttempt} and {@code AcceptAttempt} bring connections up.
 * The design is in {@code docs/decisions/0006-verbs.md}, the protocol in {@code docs/rdma-protocol.md}.
 */
package io.rsockets4j.core.rdma;
