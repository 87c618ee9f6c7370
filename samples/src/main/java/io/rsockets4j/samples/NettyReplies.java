/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Hands what an event loop receives to the one thread that waits for it. */
final class NettyReplies extends SimpleChannelInboundHandler<ByteBuf> {

    private static final long TIMEOUT_SECONDS = 10;
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> chunks = new LinkedBlockingQueue<>();

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf chunk) {
        chunks.add(ByteBufUtil.getBytes(chunk));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        chunks.add(END);
    }

    /**
     * Waits for a reply.
     *
     * @param lengthBytes its length
     * @return the reply as text
     * @throws IOException if the server hung up, or sent nothing for ten seconds
     * @throws InterruptedException if the thread is interrupted while waiting
     */
    String take(int lengthBytes) throws IOException, InterruptedException {
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        while (reply.size() < lengthBytes) {
            byte[] chunk = chunks.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (chunk == null || chunk == END) {
                throw new EOFException(chunk == null ? "no reply" : "the server hung up");
            }
            reply.writeBytes(chunk);
        }
        return reply.toString(UTF_8);
    }
}
