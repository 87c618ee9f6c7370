/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The shared-memory fabric: two processes of one user on one host, or one process with itself.
 *
 * <p>From the bottom up: {@code *Descriptor} classes own every offset of a layout; {@code SlotFile} and {@code
 * SessionFile} are mapped files; {@code ShmSendRing} and {@code ShmReceiveRing} are the halves of a connection; a
 * {@code Session} joins two processes and carries many connections ({@code ShmLink}) without a descriptor for each; a
 * {@code Lane} is a doorbell between the two; the {@code Doorbell} thread serves those who have no lane of their own;
 * {@code Rendezvous} is how processes find each other; {@code ShmFabric} is the whole.
 */
package io.rsockets4j.core.shm;
