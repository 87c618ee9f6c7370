/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

/**
 * Registered memory (ibv_mr).
 *
 * @param address of its first byte, in this process
 * @param length in bytes
 * @param localKey for work requests of this side (lkey)
 * @param remoteKey for those of a peer (rkey)
 */
public record MemoryRegion(long address, long length, int localKey, int remoteKey) { }
