/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/** Holds a link's local port by a JDK channel that is bound and never connected. */
final class TcpPort implements LocalPort {
    private static final Log LOG = Log.of(TcpPort.class);

    private final SocketChannel tcp;
    private final BufferSizes buffers;

    TcpPort(SocketChannel tcp, BufferSizes buffers) {
        this.tcp = tcp;
        this.buffers = buffers;
    }

    @Override
    public BufferSizes buffers() {
        return buffers;
    }

    @Override
    public InetSocketAddress reserve(InetAddress source) throws IOException {
        if (tcp.getLocalAddress() == null) {
            tcp.bind(new InetSocketAddress(source, 0));
        }
        InetSocketAddress local = (InetSocketAddress) tcp.getLocalAddress();
        return local.getAddress().isAnyLocalAddress() ? new InetSocketAddress(source, local.getPort()) : local;
    }

    @Override
    public boolean isOpen() {
        return tcp.isOpen();
    }

    @Override
    public void release() {
        try {
            tcp.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a port could not be given back", e);
        }
    }
}
