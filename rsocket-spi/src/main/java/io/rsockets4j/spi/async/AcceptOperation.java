/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.spi.channel.RServerSocketChannel;
import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SelectionKey;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.concurrent.CompletableFuture;

/** What a server channel accepts, from the fabrics and from TCP. */
final class AcceptOperation extends Operation {
    private final RServerSocketChannel channel;

    AcceptOperation(RAsynchronousChannelGroup group, Readiness readiness, RServerSocketChannel channel) {
        super(group, readiness, SelectionKey.OP_ACCEPT);
        this.channel = channel;
    }

    <A> void accept(CompletionHandler<AsynchronousSocketChannel, ? super A> handler, A attachment,
            CompletableFuture<AsynchronousSocketChannel> future) {
        lockForNext();
        begin(handler, attachment, future, 0);
    }

    @Override
    RuntimeException refusal(boolean killed) {
        return killed ? new RuntimeException("Accept not allowed due cancellation") // the JDK's type and message
                : new AcceptPendingException();
    }

    @Override
    Object attempt() throws IOException {
        RSocketChannel accepted = (RSocketChannel) channel.accept();
        if (accepted == null) {
            return null;
        }
        try {
            return RAsynchronousSocketChannel.accepted(group, accepted);
        } catch (ShutdownChannelGroupException e) {
            throw new IOException(e);
        }
    }

    @Override
    void forgetArguments() {
        // an accept has none
    }

    @Override
    boolean isOpen() {
        return channel.isOpen();
    }
}
