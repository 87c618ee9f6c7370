/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Netty's HTTP codec as a client. Several connections load and send what is compared, all at once.
 */
final class NettyClient {
    private static final int CONNECTIONS = 16;

    private NettyClient() { }

    /**
     * Loads, sends, and compares.
     *
     * @param args the transport, as {@link NettyTransport#of} takes it, and the port
     */
    public static void main(String[] args) {
        NettyTransport transport = NettyTransport.of(args[0]);
        EventLoopGroup loops = transport.eventLoops();
        Bootstrap bootstrap = new Bootstrap()
                .group(loops)
                .channel(transport.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .remoteAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])));
        try {
            run(bootstrap);
        } finally {
            loops.shutdownGracefully();
        }
    }

    private static void run(Bootstrap bootstrap) {
        List<NettyExchanges> connections = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            NettyExchanges exchanges = new NettyExchanges();
            connections.add(exchanges);
            bootstrap.clone().handler(pipeline(exchanges)).connect().addListener(connected -> {
                if (!connected.isSuccess()) {
                    exchanges.failed(connected.cause());
                }
            });
        }
        connections.forEach(NettyExchanges::await);
    }

    private static ChannelInitializer<SocketChannel> pipeline(NettyExchanges exchanges) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new HttpClientCodec(), new HttpObjectAggregator(Content.LARGE), exchanges);
            }
        };
    }
}
