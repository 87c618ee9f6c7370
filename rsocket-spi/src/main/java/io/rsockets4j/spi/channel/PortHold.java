/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Holds the port of a listener until its own socket binds and listens, which is one step. Linux lets two sockets with
 * SO_REUSEADDR have one port as long as neither listens, and refuses it to this one where another listens already.
 * Used by one thread.
 */
final class PortHold implements AutoCloseable {
    private static final Log LOG = Log.of(PortHold.class);

    private final SocketChannel holder;
    private final InetSocketAddress address;

    private PortHold(SocketChannel holder, InetSocketAddress address) {
        this.holder = holder;
        this.address = address;
    }

    /**
     * Takes a port.
     *
     * @param listener will have it; not bound yet
     * @param family of the listener, or null
     * @param wanted what the program gave
     * @return null where the kernel is to choose the port, and where it cannot be held: the listener's own bind tells
     *     the program what is wrong, if anything
     */
    static PortHold take(ServerSocketChannel listener, ProtocolFamily family, SocketAddress wanted) {
        if (!(wanted instanceof InetSocketAddress inet) || inet.isUnresolved() || inet.getPort() == 0) {
            return null;
        }
        SocketChannel holder = null;
        PortHold hold = null;
        try {
            if (listener.getOption(StandardSocketOptions.SO_REUSEADDR)) {
                holder = family == null ? JdkProvider.get().openSocketChannel()
                        : JdkProvider.get().openSocketChannel(family);
                holder.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(wanted);
                hold = new PortHold(holder, (InetSocketAddress) holder.getLocalAddress());
            }
        } catch (IOException | RuntimeException e) { // the latter for addresses of another family
            LOG.log(System.Logger.Level.DEBUG, "cannot hold the port of " + wanted, e);
        } finally {
            if (holder != null && hold == null) {
                close(holder);
            }
        }
        return hold;
    }

    /** What the listener's address will be. */
    InetSocketAddress address() {
        return address;
    }

    /** Lets go; a listener that has the port meanwhile keeps it. */
    @Override
    public void close() {
        close(holder);
    }

    private static void close(SocketChannel holder) {
        try {
            holder.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a port could not be given back", e);
        }
    }
}
