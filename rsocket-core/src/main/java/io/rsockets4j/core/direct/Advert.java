/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

/**
 * A buffer that waits for the next bytes, as the receiver tells the sender of it.
 *
 * @param ringBytes how many bytes the receiver has taken out of its ring, since the stream or the link began: the
 *     sender may use the buffer as long as it has sent no more than these by the ring
 * @param address of the buffer's first byte
 * @param length bytes that it takes
 * @param key the right to write there
 * @param waitAll whether it stays offered until it is full
 */
public record Advert(long ringBytes, long address, int length, int key, boolean waitAll) { }
