/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Netty's HTTP codec as a server: {@code GET /bytes/N} and {@code POST /digest}. */
final class NettyServer {
    private static final String BYTES = "/bytes/";

    private NettyServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args the transport, as {@link NettyTransport#of} takes it
     */
    public static void main(String[] args) throws InterruptedException {
        NettyTransport transport = NettyTransport.of(args[0]);
        Channel listener = new ServerBootstrap()
                .group(transport.eventLoops())
                .channel(transport.server())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Connection())
                .bind(Servers.anyPort())
                .sync()
                .channel();
        Servers.announce(((InetSocketAddress) listener.localAddress()).getPort());
    }

    @Sharable
    private static final class Connection extends ChannelInitializer<SocketChannel> {
        private final Service service = new Service();

        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(Content.LARGE), service);
        }
    }

    @Sharable
    private static final class Service extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final Map<Integer, ByteBuf> made = new ConcurrentHashMap<>(); // by length

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
            String path = request.uri();
            if (path.startsWith(BYTES)) {
                answer(context, made.computeIfAbsent(Integer.valueOf(path.substring(BYTES.length())),
                        length -> Unpooled.wrappedBuffer(Content.bytes(length))).retainedDuplicate());
            } else {
                answer(context, Unpooled.copiedBuffer(
                        Content.digest(new ByteBufInputStream(request.content())), StandardCharsets.US_ASCII));
            }
        }

        private static void answer(ChannelHandlerContext context, ByteBuf body) {
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            HttpUtil.setContentLength(response, body.readableBytes());
            context.writeAndFlush(response);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            System.err.println("a connection failed: " + cause);
            context.close();
        }
    }
}
