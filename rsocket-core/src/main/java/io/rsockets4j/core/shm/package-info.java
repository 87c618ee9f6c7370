/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The shared-memory fabric: two processes of one user on one host, or one process with itself.
 *
 * <p>From the bottom up: {@code *Descriptor} classes own every offset of a layout; {@code MappedFile} is a
 * file in shared memory and {@code SlotFile} one with the rings of several connections; {@code SendRing} and {@code
 * ReceiveRing} are the halves of a connection; a {@code Session} joins two processes and carries many connections
 * ({@code ShmLink}) without a descriptor for each; {@code Bells} are what sleepers are rung by; {@code ServiceThread}
 * serves those whom peers cannot wake; {@code Rendezvous} is how processes find each other; {@code ShmFabric} is
 * the whole. Every byte that is shared is described in {@code docs/shm-protocol.md}.
 */
package io.rsockets4j.core.shm;
