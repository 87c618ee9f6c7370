/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;

/**
 * The JDK's TCP socket below one of ours, by whichever door: it holds the local port of a link, and keeps the options.
 * It leads to no object of the program's, since a link keeps it, and a forgotten socket is to be collected.
 * Thread-safe; nothing here blocks.
 */
public interface TcpEnd {
    /**
     * The bound address.
     *
     * @return as the kernel tells it, or null if it is not bound
     * @throws IOException if it is closed
     */
    InetSocketAddress bound() throws IOException;

    /**
     * Binds it to a port that the kernel chooses.
     *
     * @param source the address
     * @return the port
     * @throws IOException if it cannot be bound, or is closed
     */
    int bind(InetAddress source) throws IOException;

    /**
     * Whether it is open.
     *
     * @return false once it is closed
     */
    boolean isOpen();

    /**
     * Closes it.
     *
     * @throws IOException if the kernel says so
     */
    void close() throws IOException;

    /**
     * Asks for an option.
     *
     * @param <T> its type
     * @param name its name
     * @return its value
     * @throws IOException if it is closed
     */
    <T> T getOption(SocketOption<T> name) throws IOException;
}
