/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Streams that take the shorter way by themselves: straight into the receiver's buffer when it waits for the bytes, and
 * into its ring when the sender is ahead. After P. MacArthur and R. D. Russell, "An Efficient Method for Stream
 * Semantics over RDMA", IPDPS 2014. {@link io.rsockets4j.core.direct.PeerAdverts} is the sender's part, and
 * {@link io.rsockets4j.core.direct.OwnAdverts} the receiver's. They know no fabric.
 *
 * <p>The receiver tells the sender of each buffer that may be filled: an <em>advert</em>. It does so while its ring is
 * empty, for its oldest receives, in order. An advert says how many bytes the receiver has taken out of its ring. The
 * sender counts those that it has put there. While the two are equal, the receiver has seen everything that went by the
 * ring, and the next bytes are for the oldest advert. Once more has gone by the ring, all adverts of that count are
 * <em>stale</em>: the receiver sees that too when those bytes come, and tells of its receives anew when it has read
 * them. So both sides know of each buffer whether it may be filled, and neither waits for the other to decide.
 *
 * <p>What a fabric must do: carry what the sender says in order, and what the receiver says in order. Either may be
 * arbitrarily late. Nothing that the peer says is trusted: what cannot be is a
 * {@link io.rsockets4j.core.direct.DirectCorruptedException}, and the connection is lost.
 */
package io.rsockets4j.core.direct;
