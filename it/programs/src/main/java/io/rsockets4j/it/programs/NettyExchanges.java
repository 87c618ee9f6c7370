/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** What one connection of {@link NettyClient} does: bodies of several lengths, one after the other. */
final class NettyExchanges extends SimpleChannelInboundHandler<FullHttpResponse> {
    private static final int[] LENGTHS = {0, 1, Content.SMALL, 100_000, 1 << 20, 4_000_001};

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int requests;

    void await() {
        ended.join();
    }

    void failed(Throwable cause) {
        ended.completeExceptionally(cause);
    }

    /** Sends the next request, or nothing when there is none. */
    private boolean next(ChannelHandlerContext context) {
        if (requests == 2 * LENGTHS.length) {
            return false;
        }
        int length = LENGTHS[requests / 2];
        if (requests++ % 2 == 0) {
            load(context, length);
        } else {
            send(context, length);
        }
        return true;
    }

    /** Looks at what came for the last one. */
    private void answered(FullHttpResponse response) throws IOException {
        int length = LENGTHS[(requests - 1) / 2];
        if (requests % 2 == 1) {
            Content.check("/bytes", Content.digest(new ByteBufInputStream(response.content())), length);
        } else {
            Content.check("/digest", response.content().toString(StandardCharsets.US_ASCII), length);
        }
    }

    private void load(ChannelHandlerContext context, int length) {
        request(context, HttpMethod.GET, "/bytes/" + length, Unpooled.EMPTY_BUFFER);
    }

    private void send(ChannelHandlerContext context, int length) {
        request(context, HttpMethod.POST, "/digest", Unpooled.wrappedBuffer(Content.bytes(length)));
    }

    private static void request(ChannelHandlerContext context, HttpMethod method, String path, ByteBuf body) {
        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, path, body);
        request.headers().set(HttpHeaderNames.HOST, "localhost");
        HttpUtil.setContentLength(request, body.readableBytes());
        context.writeAndFlush(request);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        next(context);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) throws IOException {
        if (!response.status().equals(HttpResponseStatus.OK)) {
            throw new IOException("the server answered " + response.status());
        }
        answered(response);
        if (!next(context)) {
            ended.complete(null);
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        failed(new IOException("the server closed the connection")); // unless all was done
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failed(cause);
        context.close();
    }
}
