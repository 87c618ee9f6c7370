/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.spi.channel.ConnectThreads;
import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * How a channel connects. The first attempt may wait for a fabric's handshake, so it has a thread to itself, of neither
 * the program nor the group; the poller looks for what is left to do over TCP.
 */
final class ConnectOperation extends Operation {
    private static final Log LOG = Log.of(ConnectOperation.class);

    private final AsynchronousChannel owner;
    private final RSocketChannel channel;
    private SocketAddress remote; // guarded by lock; set while the first attempt is to be made
    private volatile boolean begun; // written under lock
    private volatile boolean connected; // written under lock

    /**
     * Creates an operation that is not pending.
     *
     * @param group whose threads run it
     * @param owner closed where it cannot be connected
     * @param readiness wakes it
     * @param channel to connect
     */
    ConnectOperation(RAsynchronousChannelGroup group, AsynchronousChannel owner, Readiness readiness,
            RSocketChannel channel) {
        super(group, readiness, SelectionKey.OP_CONNECT);
        this.owner = owner;
        this.channel = channel;
    }

    boolean isConnected() {
        return connected;
    }

    boolean isConnecting() {
        return begun && !connected;
    }

    /** Takes note that the channel is connected, by an accept. */
    void accepted() {
        begun = true;
        connected = true;
    }

    <A> void connect(SocketAddress target, CompletionHandler<Void, ? super A> handler, A attachment,
            CompletableFuture<Void> future) {
        lock.lock();
        if (isOpen() && begun) {
            lock.unlock();
            throw refusal(false);
        }
        begun = true;
        remote = target;
        begin(handler, attachment, future, 0);
    }

    @Override
    RuntimeException refusal(boolean killed) {
        return connected ? new AlreadyConnectedException() : new ConnectionPendingException();
    }

    /** The first time leaves it to a thread that may wait. */
    @Override
    Object attempt() throws IOException {
        if (remote != null) {
            SocketAddress target = remote;
            remote = null;
            ConnectThreads.execute(() -> connect(target));
            return null;
        }
        return finish(channel.finishConnect());
    }

    private Object finish(boolean done) {
        connected |= done;
        return done ? Boolean.TRUE : null;
    }

    /** Connects, without the lock: close and cancel need not wait. */
    private void connect(SocketAddress target) {
        boolean done = false;
        Throwable failure = null;
        try {
            done = channel.connectPatiently(target) || channel.finishConnect();
        } catch (Throwable e) { // the program must not wait for a thread that has ended
            failure = asEnded(e);
        }
        lock.lock();
        if (!isPending()) {
            lock.unlock();
        } else if (done || failure != null) {
            complete(finish(done), failure, false);
        } else {
            try {
                expect();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    Object completed(Object result) {
        return null; // the value of a Future<Void>
    }

    /** A channel that could not be connected is closed. */
    @Override
    void failed(Throwable cause) {
        if (cause instanceof CancellationException) {
            return;
        }
        try {
            owner.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a channel that could not be connected could not be closed", e);
        }
    }

    @Override
    void forgetArguments() {
        remote = null;
    }

    /** Not before the thread that connects says so. */
    @Override
    boolean isForThePoller() {
        return false;
    }

    @Override
    boolean isRepeated() {
        return false;
    }

    @Override
    boolean isOpen() {
        return channel.isOpen();
    }
}
