/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The shared-memory fabric, between two processes of one user on one host, or one process with itself: the control
 * room. {@code ShmFabric} finds the peer and its {@code Session}, which joins two processes and carries many
 * connections ({@code ShmLink}) without a descriptor for each; {@code Endpoint} takes the sessions of others, and
 * {@code ServiceThread} serves them and wakes those whom peers cannot wake.
 *
 * <p>Below it, and knowing nothing of it, are two rooms: {@link io.rsockets4j.core.shm.rendezvous}, where processes
 * find each other, and {@link io.rsockets4j.core.shm.ring}, where the bytes are. {@code *Descriptor} classes own every
 * offset of a layout. Every byte that is shared is described in {@code docs/shm-protocol.md}.
 */
package io.rsockets4j.core.shm;
