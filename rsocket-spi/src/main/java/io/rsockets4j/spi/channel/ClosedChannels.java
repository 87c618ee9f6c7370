/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * Closed channels of the JDK's, to answer for ours that are closed: versions of the JDK throw different exceptions, and
 * what is below ours may be open still, to hold a port, or in the other mode.
 */
final class ClosedChannels {
    private ClosedChannels() { }

    static SocketChannel socket(boolean blocking) throws ClosedChannelException {
        return closed(SelectorProvider::openSocketChannel, blocking);
    }

    /** One whose adaptor accepts for so long, 0 for ever. */
    static ServerSocketChannel server(boolean blocking, int timeoutMillis) throws ClosedChannelException {
        return closed(provider -> {
            ServerSocketChannel server = provider.openServerSocketChannel();
            server.socket().setSoTimeout(timeoutMillis);
            return server;
        }, blocking);
    }

    /** How to open a channel. */
    private interface Opening<C> {
        C open(SelectorProvider provider) throws IOException;
    }

    private static <C extends SelectableChannel> C closed(Opening<C> opening, boolean blocking)
            throws ClosedChannelException {
        try (C channel = opening.open(JdkProvider.get())) {
            channel.configureBlocking(blocking);
            return channel;
        } catch (IOException e) { // no descriptor is left
            ClosedChannelException closed = new ClosedChannelException();
            closed.initCause(e);
            throw closed;
        }
    }
}
