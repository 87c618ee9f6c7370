/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.channels.NetworkChannel;
import java.util.Set;

/** The options of anything that has some. */
public interface Options {
    /** @return what can be asked for */
    Set<SocketOption<?>> supported();

    /**
     * Asks for an option.
     *
     * @param name which
     * @return its value
     * @throws IOException when it cannot be told
     */
    Object get(SocketOption<?> name) throws IOException;

    /**
     * Sets an option.
     *
     * @param name which
     * @param value of its type, or null
     * @return {@code set}
     * @throws IOException when it cannot be set
     */
    String set(SocketOption<Object> name, Object value) throws IOException;

    /**
     * The options of a channel.
     *
     * @param channel listening or not, asynchronous or not
     * @return a view
     */
    static Options of(NetworkChannel channel) {
        return new OptionsOf(channel, channel::supportedOptions, channel::getOption, channel::setOption);
    }

    /**
     * The options of a socket.
     *
     * @param socket connected or not
     * @return a view
     */
    static Options of(Socket socket) {
        return new OptionsOf(socket, socket::supportedOptions, socket::getOption, socket::setOption);
    }

    /**
     * The options of a server socket.
     *
     * @param socket bound or not
     * @return a view
     */
    static Options of(ServerSocket socket) {
        return new OptionsOf(socket, socket::supportedOptions, socket::getOption, socket::setOption);
    }
}
