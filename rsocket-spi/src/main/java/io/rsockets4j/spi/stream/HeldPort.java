/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

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

/** Holds a link's local port by the TCP socket that would have been connected instead. */
public final class HeldPort implements LocalPort {
    private static final Log LOG = Log.of(HeldPort.class);

    private final TcpEnd tcp;
    private final BufferSizes buffers;

    /**
     * Holds nothing yet.
     *
     * @param tcp bound when the port is reserved, unless it is already; never connected; closed when it is released
     * @param buffers what the program asked of its buffers
     */
    public HeldPort(TcpEnd tcp, BufferSizes buffers) {
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
            InetSocketAddress bound = tcp.bound();
            if (bound != null && !bound.getAddress().isAnyLocalAddress()) {
                return bound;
            }
            return new InetSocketAddress(withoutName(source), bound != null ? bound.getPort() : tcp.bind(source));
        } catch (SocketException e) {
            if (tcp.isOpen()) {
                throw e;
            }
            throw (IOException) new ClosedChannelException().initCause(e);
        }
    }

    /** As the kernel would tell it. */
    private static InetAddress withoutName(InetAddress address) throws UnknownHostException {
        byte[] bytes = address.getAddress();
        return address instanceof Inet6Address six && six.getScopeId() != 0
                ? Inet6Address.getByAddress(null, bytes, six.getScopeId()) : InetAddress.getByAddress(bytes);
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
