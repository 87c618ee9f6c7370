/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A listening channel as a server socket. The JDK's adaptor serves the address and the options. */
final class RServerSocket extends ServerSocket {
    private final RServerSocketChannel channel;
    private final ServerSocket jdk;
    private volatile int timeoutMillis; // of the JDK's, which does not tell it once it is closed

    RServerSocket(RServerSocketChannel channel, ServerSocket jdk) {
        super(new NoSocketImpl());
        this.channel = channel;
        this.jdk = jdk;
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        bind(local, 0);
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        channel.bindBy(() -> jdk.bind(local, backlog), local, backlog);
    }

    @Override
    public Socket accept() throws IOException {
        if (!channel.isOpen()) {
            return ClosedChannels.server(channel.isInBlockingMode(), timeoutMillis).socket().accept();
        }
        if (!jdk.isBound()) {
            SocketException unbound = new SocketException("Socket is not bound yet");
            unbound.initCause(new NotYetBoundException());
            throw unbound;
        }
        if (!channel.isInBlockingMode()) {
            return acceptNow();
        }
        return channel.accept(jdk.getSoTimeout()).socket();
    }

    /** In non-blocking mode the JDK accepts what is there already, but not with a timeout. */
    private Socket acceptNow() throws IOException {
        SocketChannel accepted = jdk.getSoTimeout() > 0 ? null : channel.accept();
        if (accepted == null) {
            throw new IllegalBlockingModeException();
        }
        return accepted.socket();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isBound() {
        return jdk.isBound();
    }

    @Override
    public InetAddress getInetAddress() {
        return jdk.getInetAddress();
    }

    @Override
    public int getLocalPort() {
        return jdk.getLocalPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return jdk.getLocalSocketAddress();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        jdk.setSoTimeout(timeout);
        timeoutMillis = timeout;
    }

    @Override
    public int getSoTimeout() throws IOException {
        return jdk.getSoTimeout();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        jdk.setReuseAddress(on);
        changed(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return jdk.getReuseAddress();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        jdk.setReceiveBufferSize(size);
        changed(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return jdk.getReceiveBufferSize();
    }

    private void changed(SocketOption<?> name) throws SocketException {
        try {
            channel.changed(name);
        } catch (IOException e) {
            throw e instanceof SocketException same ? same : new SocketException(e.getMessage());
        }
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        jdk.setOption(name, value);
        channel.changed(name);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return jdk.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return jdk.supportedOptions();
    }

    @Override
    public String toString() {
        return jdk.toString();
    }
}
