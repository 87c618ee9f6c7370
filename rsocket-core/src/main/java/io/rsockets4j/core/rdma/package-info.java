/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The RDMA fabric: connections over verbs, whatever binding implements them.
 *
 * <p>From the bottom up: {@code RingSlab}, {@code RingSlot} and {@code SessionMemory} hold registered memory; {@code
 * SendQueue} posts work requests and keeps the credits; {@code SendSide} and {@code ReceiveSide} are the two halves
 * of a stream; {@code RdmaSession} owns a queue pair, serves its completions and carries many {@code RdmaConnection}s;
 * {@code RdmaLink} is what doors see. {@code CompletionPoller} and {@code CompletionThread} fetch completions for
 * all sessions of a device, {@code CmThread} runs the connection manager, {@code Sessions}, {@code ConnectAttempt}
 * and {@code AcceptAttempt} bring sessions and connections up. The design is in {@code
 * docs/decisions/0006-verbs.md} and {@code 0014-link-groups.md}, the protocol in {@code docs/rdma-protocol.md}.
 */
package io.rsockets4j.core.rdma;
