/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * The socket buffers that a program asked for before it connected or listened, as TCP reports them. They size the rings
 * of a connection. Immutable.
 *
 * @param sendBytes SO_SNDBUF, or 0 where the program set none
 * @param receiveBytes SO_RCVBUF, or 0 where the program set none
 */
public record BufferSizes(int sendBytes, int receiveBytes) {
    /** The program left both to TCP, which tunes them. */
    public static final BufferSizes UNSET = new BufferSizes(0, 0);
}
