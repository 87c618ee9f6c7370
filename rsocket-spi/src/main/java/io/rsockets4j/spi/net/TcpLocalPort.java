/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;

/**
 * Holds a link's local port by the TCP socket that would have been connected instead. Must not lead to the program's
 * socket: the link keeps this, and a socket that is forgotten is to be collected.
 */
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
        try {
            return bind(source);
        } catch (SocketException e) {
            if (tcp.isClosed()) {
                throw (IOException) new ClosedChannelException().initCause(e);
            }
            throw e;
        }
    }

    private InetSocketAddress bind(InetAddress source) throws IOException {
        if (tcp.localPort() == 0) {
            tcp.bind(source, 0);
            return new InetSocketAddress(withoutName(source), tcp.localPort());
        }
        InetAddress bound = tcp.boundAddress();
        return new InetSocketAddress(withoutName(bound.isAnyLocalAddress() ? source : bound), tcp.localPort());
    }

    /** As the kernel would tell it. */
    private static InetAddress withoutName(InetAddress address) throws UnknownHostException {
        byte[] bytes = address.getAddress();
        return address instanceof Inet6Address six && six.getScopeId() != 0
                ? Inet6Address.getByAddress(null, bytes, six.getScopeId()) : InetAddress.getByAddress(bytes);
    }

    @Override
    public boolean isOpen() {
        return !tcp.isClosed();
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
