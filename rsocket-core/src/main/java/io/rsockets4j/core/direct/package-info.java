/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Streams that take the shorter way by themselves: straight into the receiver's buffer when it waits for the bytes, and
 * into its ring when the sender is ahead. After P. MacArthur and R. D. Russell, "An Efficient Method for Stream
 * Semantics over RDMA", IPDPS 2014. {@link io.rsockets4j.core.direct.DirectSender} and
 * {@link io.rsockets4j.core.direct.DirectReceiver} decide; they know no transport, which is handed to them as what it
 * can do.
 *
 * <p>The receiver tells the sender of each buffer that may be filled: an <em>advert</em>. The <em>phase</em> of either
 * side is even while bytes go straight into buffers, and odd while they go by the ring. It never falls. An advert
 * carries the receiver's phase and the count of the first byte that the buffer is for, as far as known; by the two the
 * sender sees whether bytes that it sent meanwhile have made the advert <em>stale</em>.
 *
 * <p>What a transport must do: carry what the sender says in order, and what the receiver says in order. Either may be
 * arbitrarily late. Nothing that the peer says is trusted: what cannot be is a
 * {@link io.rsockets4j.core.direct.DirectCorruptedException}, and the connection is lost.
 */
package io.rsockets4j.core.direct;
