/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.spi.stream.TcpEnd;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Set;
import sun.nio.ch.NioSocketImpl;

/**
 * The JDK's own TCP implementation of a socket, with its protected methods made callable.
 *
 * <p>The handles are static and final, so that a call costs what a direct call costs. The agent has opened
 * {@code java.net} to this module before this class is loaded. As thread-safe as what it wraps: fully.
 */
final class TcpSocket implements TcpEnd {
    private static final MethodHandles.Lookup LOOKUP = lookup();
    private static final MethodHandle CREATE = handle("create", void.class, boolean.class);
    private static final MethodHandle BIND = handle("bind", void.class, InetAddress.class, int.class);
    private static final MethodHandle CLOSE = handle("close", void.class);
    private static final MethodHandle DESCRIPTOR = handle("getFileDescriptor", FileDescriptor.class);
    private static final MethodHandle LOCAL_PORT = handle("getLocalPort", int.class);

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

    private static MethodHandles.Lookup lookup() {
        try {
            return MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("java.base does not open java.net to rsockets4j; start the program with "
                    + "-javaagent:rsockets4j.jar", e);
        }
    }

    /** The program's caller may have fewer rights than we have, and these are looked up only once. */
    @SuppressWarnings("removal") // there are no security managers from Java 24 on
    private static MethodHandle handle(String name, Class<?> result, Class<?>... parameters) {
        MethodType type = MethodType.methodType(result, parameters);
        return System.getSecurityManager() == null ? find(name, type)
                : AccessController.doPrivileged((PrivilegedAction<MethodHandle>) () -> find(name, type));
    }

    private static MethodHandle find(String name, MethodType type) {
        try {
            return LOOKUP.findVirtual(SocketImpl.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK's SocketImpl has no " + name, e);
        }
    }

    /**
     * Hands on what a call threw, unchanged.
     *
     * @param thrown an I/O or unchecked exception, or an error
     * @return never; the type lets callers write {@code throw}
     * @throws IOException {@code thrown}
     */
    private static IOException rethrow(Throwable thrown) throws IOException {
        if (thrown instanceof IOException e) {
            throw e;
        }
        throw unchecked(thrown);
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error e) {
            throw e;
        }
        return thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
    }

    SocketImpl impl() {
        return impl;
    }

    /** Drops a connection that was just accepted, and that no one else has seen, and is as new. */
    void renew() throws IOException {
        SocketImpl refused = impl;
        impl = new NioSocketImpl(false);
        try {
            CLOSE.invokeExact(refused);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    void create(boolean stream) throws IOException {
        try {
            CREATE.invokeExact(impl, stream);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        try {
            Tcp.CONNECT.invokeExact(impl, remote, timeoutMillis);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    void bind(InetAddress host, int port) throws IOException {
        try {
            BIND.invokeExact(impl, host, port);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public int bind(InetAddress source) throws IOException {
        bind(source, 0);
        return localPort();
    }

    void listen(int backlog) throws IOException {
        try {
            Server.LISTEN.invokeExact(impl, backlog);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    void accept(TcpSocket target) throws IOException {
        try {
            Server.ACCEPT.invokeExact(impl, target.impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    InputStream inputStream() throws IOException {
        try {
            return (InputStream) Tcp.INPUT.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    OutputStream outputStream() throws IOException {
        try {
            return (OutputStream) Tcp.OUTPUT.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    int available() throws IOException {
        try {
            return (int) Tcp.AVAILABLE.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true; // first: whoever finds the implementation closed may ask
        try {
            CLOSE.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    void shutdownInput() throws IOException {
        try {
            Tcp.SHUTDOWN_INPUT.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    void shutdownOutput() throws IOException {
        try {
            Tcp.SHUTDOWN_OUTPUT.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    void sendUrgentData(int data) throws IOException {
        try {
            Tcp.URGENT.invokeExact(impl, data);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    boolean supportsUrgentData() {
        try {
            return (boolean) Tcp.SUPPORTS_URGENT.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    FileDescriptor descriptor() {
        try {
            return (FileDescriptor) DESCRIPTOR.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    InetAddress address() {
        try {
            return (InetAddress) Tcp.ADDRESS.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public InetSocketAddress bound() throws SocketException {
        int port = localPort();
        return port == 0 ? null : new InetSocketAddress((InetAddress) impl.getOption(SocketOptions.SO_BINDADDR), port);
    }

    int port() {
        try {
            return (int) Tcp.PORT.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int localPort() {
        try {
            return (int) LOCAL_PORT.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
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
        try {
            Options.SET_OPTION.invokeExact(impl, (SocketOption<?>) name, (Object) value);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the JDK answers with the option's type
    public <T> T getOption(SocketOption<T> name) throws IOException {
        try {
            return (T) (Object) Options.GET_OPTION.invokeExact(impl, (SocketOption<?>) name);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    void setOption(int id, Object value) throws SocketException {
        impl.setOption(id, value);
    }

    Object getOption(int id) throws SocketException {
        return impl.getOption(id);
    }

    @SuppressWarnings("unchecked") // as declared by SocketImpl
    Set<SocketOption<?>> supportedOptions() {
        try {
            return (Set<SocketOption<?>>) (Set<?>) Options.SUPPORTED_OPTIONS.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /** What only a server needs. */
    private static final class Server {
        static final MethodHandle LISTEN = handle("listen", void.class, int.class);
        static final MethodHandle ACCEPT = handle("accept", void.class, SocketImpl.class);

        private Server() { }
    }

    /** What is needed where the bytes go by TCP. */
    private static final class Tcp {
        static final MethodHandle CONNECT = handle("connect", void.class, SocketAddress.class, int.class);
        static final MethodHandle INPUT = handle("getInputStream", InputStream.class);
        static final MethodHandle OUTPUT = handle("getOutputStream", OutputStream.class);
        static final MethodHandle AVAILABLE = handle("available", int.class);
        static final MethodHandle SHUTDOWN_INPUT = handle("shutdownInput", void.class);
        static final MethodHandle SHUTDOWN_OUTPUT = handle("shutdownOutput", void.class);
        static final MethodHandle URGENT = handle("sendUrgentData", void.class, int.class);
        static final MethodHandle SUPPORTS_URGENT = handle("supportsUrgentData", boolean.class);
        static final MethodHandle ADDRESS = handle("getInetAddress", InetAddress.class);
        static final MethodHandle PORT = handle("getPort", int.class);

        private Tcp() { }
    }

    /** What is needed where a program sets options. */
    private static final class Options {
        static final MethodHandle SET_OPTION = handle("setOption", void.class, SocketOption.class, Object.class);
        static final MethodHandle GET_OPTION = handle("getOption", Object.class, SocketOption.class);
        static final MethodHandle SUPPORTED_OPTIONS = handle("supportedOptions", Set.class);

        private Options() { }
    }
}
