/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** A socket API of the JDK. */
public enum Api {
    /** {@link java.nio.channels.SocketChannel} in blocking mode, direct buffers. */
    NIO("blocking NIO") {
        @Override
        public ClientConnector connector() {
            return NioLink::connect;
        }

        @Override
        public Server serve(Supplier<ServerSession> sessions, Serving serving) throws IOException {
            return serveChannels(sessions, serving);
        }
    },

    /** Non-blocking channels and a {@link java.nio.channels.Selector}, direct buffers. */
    SELECTOR("Selector") {
        @Override
        public ClientConnector connector() throws IOException {
            return new SelectorLinks();
        }

        @Override
        public Server serve(Supplier<ServerSession> sessions, Serving serving) throws IOException {
            return SelectorServer.start(sessions);
        }
    },

    /** {@link java.net.Socket} streams, byte arrays. */
    SOCKET("Socket") {
        @Override
        public ClientConnector connector() {
            return SocketLink::connect;
        }

        @Override
        public Server serve(Supplier<ServerSession> sessions, Serving serving) throws IOException {
            ServerSocket listener = new ServerSocket(0, ServerHost.BACKLOG, ServerHost.address());
            return new BlockingServer(
                    listener, listener.getLocalPort(), () -> new SocketLink(listener.accept()), sessions, serving);
        }

        @Override
        public ByteBuffer allocate(int lengthBytes) {
            return ByteBuffer.allocate(lengthBytes);
        }
    },

    /** {@link java.nio.channels.AsynchronousSocketChannel}: clients wait for futures, servers are handlers. */
    ASYNC("async") {
        @Override
        public ClientConnector connector() {
            return AsyncLink::connect;
        }

        @Override
        public Server serve(Supplier<ServerSession> sessions, Serving serving) throws IOException {
            return AsyncServer.start(sessions);
        }
    },

    /** {@link java.nio.channels.SocketChannel} in blocking mode, on virtual threads: JDK 21 or later. */
    VIRTUAL("virtual threads") {
        @Override
        public ClientConnector connector() {
            return NioLink::connect;
        }

        @Override
        public Server serve(Supplier<ServerSession> sessions, Serving serving) throws IOException {
            return serveChannels(sessions, Serving.ON_VIRTUAL_THREADS);
        }
    };

    /** What {@link #NIO} is called too, by those who count threads. */
    public static final String THREAD = "thread";

    private final String title;

    Api(String title) {
        this.title = title;
    }

    /**
     * Makes a client's opener of connections, for one thread.
     *
     * @throws IOException if it cannot be made
     */
    public abstract ClientConnector connector() throws IOException;

    /**
     * Starts a server on an ephemeral port of the host, on threads of its own.
     *
     * @param sessions makes what serves a connection
     * @param serving how connections share threads
     * @throws IOException if it cannot listen
     */
    public abstract Server serve(Supplier<ServerSession> sessions, Serving serving) throws IOException;

    private static Server serveChannels(Supplier<ServerSession> sessions, Serving serving) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(ServerHost.address(), 0), ServerHost.BACKLOG);
        return new BlockingServer(
                listener, listener.socket().getLocalPort(), () -> new NioLink(listener.accept()), sessions, serving);
    }

    /** {@return a buffer of the kind that a program would use with this API} */
    public ByteBuffer allocate(int lengthBytes) {
        return ByteBuffer.allocateDirect(lengthBytes);
    }

    /** {@return its name in tables} */
    public String title() {
        return title;
    }

    /**
     * Finds an API by its name, or by {@link #THREAD}.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Api of(String name) {
        if (name.equalsIgnoreCase(THREAD)) {
            return NIO;
        }
        return Arrays.stream(values())
                .filter(api -> api.toString().equalsIgnoreCase(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown API \"" + name + "\", know " + THREAD + " and " + Arrays.toString(values())));
    }

    /** Names the API on the command line and in files. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
