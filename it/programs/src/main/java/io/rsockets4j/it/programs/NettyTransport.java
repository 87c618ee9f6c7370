/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** Netty's transport, chosen as programs do: the native one where it may be used, else the one on selectors. */
public enum NettyTransport {
    /** On selectors. */
    NIO(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class),
    /** The native one. */
    EPOLL(Epoll.isAvailable() ? EpollIoHandler.newFactory() : null,
            EpollServerSocketChannel.class, EpollSocketChannel.class);

    private final IoHandlerFactory handlers;
    private final Class<? extends ServerChannel> server;
    private final Class<? extends SocketChannel> client;

    NettyTransport(IoHandlerFactory handlers, Class<? extends ServerChannel> server,
            Class<? extends SocketChannel> client) {
        this.handlers = handlers;
        this.server = server;
        this.client = client;
    }

    /**
     * Chooses one.
     *
     * @param name {@code nio}, or {@code native} to have the best that is available
     * @return the transport
     */
    public static NettyTransport of(String name) {
        NettyTransport transport = name.equals("native") && Epoll.isAvailable() ? EPOLL : NIO;
        System.out.println("Netty's transport: " + transport);
        return transport;
    }

    /**
     * Makes one event loop.
     *
     * @return the group that has it alone
     */
    public EventLoopGroup eventLoops() {
        return new MultiThreadIoEventLoopGroup(1, handlers);
    }

    /**
     * Says what servers listen with.
     *
     * @return the class of a listener
     */
    public Class<? extends ServerChannel> server() {
        return server;
    }

    /**
     * Says what clients connect with.
     *
     * @return the class of a connection
     */
    public Class<? extends SocketChannel> client() {
        return client;
    }
}
