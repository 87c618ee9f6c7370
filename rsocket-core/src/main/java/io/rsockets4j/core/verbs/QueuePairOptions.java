/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

/**
 * What a queue pair is created with (ibv_qp_init_attr).
 *
 * @param completions receives the completions of both queues
 * @param sendRequests capacity of the send queue, in work requests
 * @param receiveRequests capacity of the receive queue, in work requests
 * @param inlineBytes how many bytes should fit into a work request; the device may give less
 */
public record QueuePairOptions(CompletionQueue completions, int sendRequests, int receiveRequests, int inlineBytes) { }
