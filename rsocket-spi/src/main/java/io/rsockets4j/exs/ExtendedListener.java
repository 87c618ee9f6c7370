/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;

/**
 * A listening socket. Only sockets of this package can connect, and only those of its type; others are turned away, and
 * an accept does not hear of them. Thread-safe; no method blocks.
 */
public final class ExtendedListener extends DrivenChannel implements Closeable {
    private static final int MAX_HANDSHAKES = 64;

    private final SocketType type;
    private final ServerSocketChannel channel;
    private final ArrayDeque<Event> accepts = new ArrayDeque<>(); // lock
    private final ArrayDeque<ExtendedSocket> connected = new ArrayDeque<>(); // lock
    private int handshakes; // lock

    private ExtendedListener(EventQueue queue, SocketType type, ServerSocketChannel channel) {
        super(queue);
        this.type = type;
        this.channel = channel;
    }

    /**
     * Creates a listener and binds it.
     *
     * @param queue where its accepts end, and all operations of the sockets that it accepts
     * @param type of the sockets that may connect
     * @param local address and port; 0 for any port
     * @param backlog how many connections may wait for an accept; 0 for the JDK's choice
     * @return listening
     * @throws IOException if the address cannot be bound
     */
    public static ExtendedListener open(EventQueue queue, SocketType type, SocketAddress local, int backlog)
            throws IOException {
        ServerSocketChannel channel = queue.provider().openServerSocketChannel();
        try {
            channel.configureBlocking(false);
            channel.bind(local, backlog);
            ExtendedListener listener = new ExtendedListener(queue, type, channel);
            listener.register(channel, 0);
            return listener;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Where it listens.
     *
     * @return address and port
     * @throws IOException if it is closed
     */
    public InetSocketAddress localAddress() throws IOException {
        if (channel.getLocalAddress() instanceof InetSocketAddress address) {
            return address;
        }
        throw new NotYetBoundException();
    }

    /**
     * Starts to accept one connection. Any number of accepts may be pending.
     *
     * @param context comes back with the event
     * @throws ClosedChannelException if it is closed
     */
    public void accept(Object context) throws ClosedChannelException {
        lock.lock();
        try {
            if (!channel.isOpen()) {
                throw new ClosedChannelException();
            }
            accepts.add(new Event(Event.Kind.ACCEPT, this, context));
            match();
            watch();
        } finally {
            lock.unlock();
        }
    }

    private void match() {
        while (!accepts.isEmpty() && !connected.isEmpty()) {
            queue.add(accepts.poll().ended(0, connected.poll(), null));
        }
    }

    private void watch() {
        interest(!accepts.isEmpty() && handshakes < MAX_HANDSHAKES ? SelectionKey.OP_ACCEPT : 0);
    }

    @Override
    void ready() {
        try {
            while (mayAccept()) {
                SocketChannel next = channel.accept();
                if (next == null) {
                    return;
                }
                ExtendedSocket.beginHandshake(queue, type, next, this);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private boolean mayAccept() {
        lock.lock();
        try {
            return channel.isOpen() && !accepts.isEmpty() && handshakes < MAX_HANDSHAKES;
        } finally {
            lock.unlock();
        }
    }

    private void failed(IOException failure) {
        lock.lock();
        try {
            if (channel.isOpen() && !accepts.isEmpty()) {
                queue.add(accepts.poll().ended(0, null, failure));
            }
            watch();
        } finally {
            lock.unlock();
        }
    }

    /** A connection has come that has yet to say what it is. */
    void handshakeBegun() {
        lock.lock();
        try {
            handshakes++;
            watch();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A handshake is over.
     *
     * @param socket null if it was turned away
     */
    void handshakeOver(ExtendedSocket socket) {
        boolean late;
        lock.lock();
        try {
            handshakes--;
            late = !channel.isOpen();
            if (!late) {
                if (socket != null) {
                    connected.add(socket);
                    match();
                }
                watch();
            }
        } finally {
            lock.unlock();
        }
        if (late && socket != null) {
            socket.close();
        }
    }

    /** Closes the listener. Pending accepts fail, and connections that none has taken are closed. Idempotent. */
    @Override
    public void close() {
        List<ExtendedSocket> unwanted;
        lock.lock();
        try {
            close(channel);
            while (!accepts.isEmpty()) {
                queue.add(accepts.poll().ended(0, null, new AsynchronousCloseException()));
            }
            unwanted = List.copyOf(connected);
            connected.clear();
        } finally {
            lock.unlock();
        }
        unwanted.forEach(ExtendedSocket::close);
    }
}
