/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Mirrored rings with credit: the arithmetic that every fabric shares. A
 * {@link io.rsockets4j.core.ring.SendRing} is the sender's window on the ring that the peer's
 * {@link io.rsockets4j.core.ring.ReceiveRing} owns; fabrics say how bytes and credit are made visible.
 */
package io.rsockets4j.core.ring;
