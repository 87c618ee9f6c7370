/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

/** The classes that a program uses. */
public enum Api {
    /** A blocking {@link java.nio.channels.SocketChannel}. */
    CHANNEL,
    /** A non-blocking one, and a {@link java.nio.channels.Selector}. */
    SELECTOR,
    /** The streams of a {@link java.net.Socket}. */
    SOCKET,
    /** The streams of {@link java.nio.channels.SocketChannel#socket()}. */
    ADAPTOR
}
