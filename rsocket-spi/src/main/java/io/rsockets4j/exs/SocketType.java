/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

/** What a socket carries. Sockets of different types refuse each other. */
public enum SocketType {
    /** Bytes, as TCP does: a receive gets what has come. */
    STREAM,
    /** Messages of 0 to 2<sup>31</sup> - 1 bytes: one for each send, and one for each receive (SEQPACKET). */
    MESSAGE
}
