/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The data room: one connection's words and rings in shared memory. {@link io.rsockets4j.core.shm.ring.SlotDescriptor}
 * has every offset, {@link io.rsockets4j.core.shm.ring.SlotFile} the memory of many connections,
 * {@link io.rsockets4j.core.shm.ring.SendRing} and {@link io.rsockets4j.core.shm.ring.ReceiveRing} move the bytes.
 * Knows no session, no socket and no directory.
 */
package io.rsockets4j.core.shm.ring;
