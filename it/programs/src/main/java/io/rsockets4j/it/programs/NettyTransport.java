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
enum NettyTransport {
    NIO(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class),
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

    /** {@code nio}, or {@code native} to have the best that is available. */
    static NettyTransport of(String name) {
        NettyTransport transport = name.equals("native") && Epoll.isAvailable() ? EPOLL : NIO;
        System.out.println("Netty's transport: " + transport);
        return transport;
    }

    EventLoopGroup eventLoops() {
        return new MultiThreadIoEventLoopGroup(1, handlers);
    }

    Class<? extends ServerChannel> server() {
        return server;
    }

    Class<? extends SocketChannel> client() {
        return client;
    }
}
