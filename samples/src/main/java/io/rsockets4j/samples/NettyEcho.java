/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Echo over Netty's NIO transport, which runs on selectors. */
public final class NettyEcho implements Sample {

    /** Creates the sample. */
    public NettyEcho() {}

    /**
     * Runs the sample.
     *
     * @param args {@code server [PORT]}, {@code client [HOST:]PORT [TEXT...]}, or nothing for both
     */
    public static void main(String[] args) {
        Launcher.run(new NettyEcho(), args);
    }

    @Override
    public RunningServer serve(int port) throws InterruptedException {
        EventLoopGroup loops = eventLoops();
        Channel listener = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Echo())
                .bind(port)
                .sync()
                .channel();
        return new RunningServer(((InetSocketAddress) listener.localAddress()).getPort(), () -> stop(loops));
    }

    @Override
    public String[] call(InetSocketAddress server, String... messages) throws Exception {
        EventLoopGroup loops = eventLoops();
        NettyReplies replies = new NettyReplies();
        try {
            Channel channel = new Bootstrap()
                    .group(loops)
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(replies)
                    .connect(server)
                    .sync()
                    .channel();
            String[] echoes = new String[messages.length];
            for (int i = 0; i < messages.length; i++) {
                byte[] message = messages[i].getBytes(UTF_8);
                channel.writeAndFlush(Unpooled.wrappedBuffer(message)).sync();
                echoes[i] = replies.take(message.length);
            }
            channel.close().sync();
            return echoes;
        } finally {
            stop(loops);
        }
    }

    private static EventLoopGroup eventLoops() {
        return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    private static void stop(EventLoopGroup loops) {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Sends every buffer back, and flushes once Netty has no more to read. */
    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            System.err.println("echo: " + cause);
            context.close();
        }
    }
}
