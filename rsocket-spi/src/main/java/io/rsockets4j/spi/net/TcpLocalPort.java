/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Holds a link's local port by the TCP socket that would have been connected instead. */
final class TcpLocalPort implements LocalPort {
    private static final Log LOG = Log.of(TcpLocalPort.class);

    private final TcpSocket tcp;
    private final BufferSizes buffers;

    TcpLocalPort(TcpSocket tcp, BufferSizes buffers) {
        this.tcp = tcp;
        this.buffers = buffers;
    }

    @Override
    public BufferSizes buffers() {
        return buffers;
    }

    @Override
    public InetSocketAddress reserve(InetAddress source) throws IOException {
        if (tcp.localPort() == 0) {
            tcp.bind(source, 0);
            return new InetSocketAddress(source, tcp.localPort());
        }
        InetAddress bound = tcp.boundAddress();
        return new InetSocketAddress(bound.isAnyLocalAddress() ? source : bound, tcp.localPort());
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
