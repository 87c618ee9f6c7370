/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The RDMA fabric: connections over verbs, whatever binding implements them.
 *
 * <p>From the bottom up: {@code RingSlab}, {@code RingSlot} and {@code SessionMemory} hold registered memory; {@code
 * SessionLink} owns a queue pair and what is registered for it alone; {@code SendQueue} posts work requests and keeps
 * the credits; {@code SendSide} and {@code ReceiveSide} are the two halves of a stream; {@code RdmaSession} serves the
 * completions of its link and carries many {@code RdmaConnection}s; {@code SessionLinks} moves it to its second link;
 * {@code RdmaLink} is what doors see. {@code CompletionPoller} and {@code CompletionThread} fetch completions for all
 * links of a device, {@code CmThread} runs the connection manager, {@code Initiator}, {@code ConnectAttempt} and
 * {@code AcceptAttempt} bring sessions and connections up, {@code Sessions} ends those that this process has made,
 * {@code SecondLink} and {@code JoinListener} make second links. {@code RdmaFabric} makes what they share, the {@code
 * RdmaContext}. The design is in {@code docs/decisions/0006-verbs.md}, {@code 0014-link-groups.md} and {@code
 * 0017-second-links.md}, the protocol in {@code docs/rdma-protocol.md}.
 */
package io.rsockets4j.core.rdma;
