/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.rsockets4j.it.programs.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Netty's HTTP codec as a client: one event loop, and on each of its connections one small GET after the other. */
final class NettyLoad implements Client {
    private static final int CONNECTIONS = 32;
    private static final int LENGTH = 1024;

    private final List<Channel> channels = new ArrayList<>();

    /** Connects. */
    NettyLoad(String transportName, int port) throws InterruptedException {
        NettyTransport transport = NettyTransport.of(transportName);
        Bootstrap bootstrap = new Bootstrap()
                .group(transport.eventLoops())
                .channel(transport.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpClientCodec(), new HttpObjectAggregator(LENGTH));
                    }
                });
        for (int i = 0; i < CONNECTIONS; i++) {
            channels.add(bootstrap.connect(InetAddress.getLoopbackAddress(), port).sync().channel());
        }
    }

    @Override
    public void load(Recorder recorder) {
        List<Exchanges> all = new ArrayList<>();
        for (Channel channel : channels) {
            Exchanges exchanges = new Exchanges(recorder);
            all.add(exchanges);
            channel.pipeline().addLast(exchanges); // begins
        }
        for (Exchanges exchanges : all) {
            exchanges.ended.join();
        }
    }

    /** One connection in one turn. The event loop is the one thread that records. */
    private static final class Exchanges extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final Recorder recorder;
        private long beganNanos;

        Exchanges(Recorder recorder) {
            this.recorder = recorder;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            request(context);
        }

        private void request(ChannelHandlerContext context) {
            beganNanos = System.nanoTime();
            DefaultFullHttpRequest request = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1, HttpMethod.GET, "/bytes/" + LENGTH, Unpooled.EMPTY_BUFFER);
            request.headers().set(HttpHeaderNames.HOST, "localhost");
            context.writeAndFlush(request);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) throws IOException {
            if (response.content().readableBytes() != LENGTH) {
                throw new IOException("expected " + LENGTH + " bytes, got " + response);
            }
            if (recorder.done(beganNanos)) {
                request(context);
            } else {
                context.pipeline().remove(this);
                ended.complete(null);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended.completeExceptionally(new IOException("the server closed the connection"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            ended.completeExceptionally(cause);
        }
    }
}
