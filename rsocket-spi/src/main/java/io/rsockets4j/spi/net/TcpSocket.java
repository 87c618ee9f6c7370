/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.spi.stream.TcpEnd;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.RSockets4jDoor;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.util.Set;
import sun.nio.ch.NioSocketImpl;

/**
 * The JDK's own TCP implementation of a socket, with its protected methods made callable by {@link RSockets4jDoor},
 * which the agent has added to {@code java.net} before. As thread-safe as what it wraps: fully.
 */
final class TcpSocket implements TcpEnd {
    private volatile SocketImpl impl; // replaced by renew alone
    private volatile boolean closed;

    /**
     * Wraps a platform implementation.
     *
     * @param impl made by the JDK, not created yet
     */
    TcpSocket(SocketImpl impl) {
        this.impl = impl;
    }

    SocketImpl impl() {
        return impl;
    }

    /** Drops a connection that was just accepted, and that no one else has seen, and is as new. */
    void renew() throws IOException {
        SocketImpl refused = impl;
        impl = new NioSocketImpl(false);
        RSockets4jDoor.close(refused);
    }

    void create(boolean stream) throws IOException {
        RSockets4jDoor.create(impl, stream);
    }

    void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        RSockets4jDoor.connect(impl, remote, timeoutMillis);
    }

    void bind(InetAddress host, int port) throws IOException {
        RSockets4jDoor.bind(impl, host, port);
    }

    @Override
    public int bind(InetAddress source) throws IOException {
        bind(source, 0);
        return localPort();
    }

    void listen(int backlog) throws IOException {
        RSockets4jDoor.listen(impl, backlog);
    }

    void accept(TcpSocket target) throws IOException {
        RSockets4jDoor.accept(impl, target.impl);
    }

    InputStream inputStream() throws IOException {
        return RSockets4jDoor.inputStream(impl);
    }

    OutputStream outputStream() throws IOException {
        return RSockets4jDoor.outputStream(impl);
    }

    int available() throws IOException {
        return RSockets4jDoor.available(impl);
    }

    @Override
    public void close() throws IOException {
        closed = true; // first: whoever finds the implementation closed may ask
        RSockets4jDoor.close(impl);
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    void shutdownInput() throws IOException {
        RSockets4jDoor.shutdownInput(impl);
    }

    void shutdownOutput() throws IOException {
        RSockets4jDoor.shutdownOutput(impl);
    }

    void sendUrgentData(int data) throws IOException {
        RSockets4jDoor.sendUrgentData(impl, data);
    }

    boolean supportsUrgentData() {
        return RSockets4jDoor.supportsUrgentData(impl);
    }

    FileDescriptor descriptor() {
        return RSockets4jDoor.descriptor(impl);
    }

    InetAddress address() {
        return RSockets4jDoor.address(impl);
    }

    @Override
    public InetSocketAddress bound() throws SocketException {
        int port = localPort();
        return port == 0 ? null : new InetSocketAddress((InetAddress) impl.getOption(SocketOptions.SO_BINDADDR), port);
    }

    int port() {
        return RSockets4jDoor.port(impl);
    }

    int localPort() {
        return RSockets4jDoor.localPort(impl);
    }

    /** The address and port of a connected socket, or null if it is closed. */
    InetSocketAddress localAddress() {
        try {
            return bound();
        } catch (SocketException e) {
            return null; // closed meanwhile
        }
    }

    /** The peer's address and port. */
    InetSocketAddress remoteAddress() {
        return new InetSocketAddress(address(), port());
    }

    <T> void setOption(SocketOption<T> name, T value) throws IOException {
        RSockets4jDoor.setOption(impl, name, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return RSockets4jDoor.getOption(impl, name);
    }

    void setOption(int id, Object value) throws SocketException {
        impl.setOption(id, value);
    }

    Object getOption(int id) throws SocketException {
        return impl.getOption(id);
    }

    Set<SocketOption<?>> supportedOptions() {
        return RSockets4jDoor.supportedOptions(impl);
    }
}
