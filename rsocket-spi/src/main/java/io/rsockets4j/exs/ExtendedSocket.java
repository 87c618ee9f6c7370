/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;

/**
 * A socket whose operations end in an {@link EventQueue}. Any number of sends and receives may be pending; those of
 * one direction run, and end, in the order in which they started. Thread-safe; no method blocks, but see
 * {@link #close}.
 */
public final class ExtendedSocket extends DrivenChannel implements Closeable {
    private final SocketType type;
    private final SocketChannel channel;
    private final ExtendedListener listener; // null of those that connect
    private final Outgoing outgoing;
    private final Incoming incoming;
    private final Handshake handshake;
    private InetSocketAddress remote; // lock
    private Event connect; // lock; while it is pending
    private volatile State state = State.NEW; // written under the lock

    private enum State { NEW, CONNECTING, HANDSHAKE, OPEN, CLOSED }

    private ExtendedSocket(EventQueue queue, SocketType type, SocketChannel channel, ExtendedListener listener) {
        super(queue);
        this.type = Objects.requireNonNull(type);
        this.channel = channel;
        this.listener = listener;
        outgoing = new Outgoing(channel, queue, type);
        incoming = new Incoming(channel, queue, type);
        handshake = new Handshake(channel, type, listener == null);
    }

    /**
     * Creates a socket that is to connect.
     *
     * @param queue where its operations end
     * @param type what it carries; that of the listener that it connects to
     * @return not connected
     * @throws IOException if the process has no descriptor left
     */
    public static ExtendedSocket open(EventQueue queue, SocketType type) throws IOException {
        SocketChannel channel = queue.provider().openSocketChannel();
        try {
            channel.configureBlocking(false);
            ExtendedSocket socket = new ExtendedSocket(queue, type, channel, null);
            socket.register(channel, 0);
            return socket;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Tells the listener when the other side has said what it is, or has not. */
    static void beginHandshake(EventQueue queue, SocketType type, SocketChannel channel, ExtendedListener listener) {
        listener.handshakeBegun();
        new ExtendedSocket(queue, type, channel, listener).begin();
    }

    private void begin() {
        lock.lock();
        try {
            channel.configureBlocking(false);
            register(channel, 0);
            state = State.CONNECTING;
            step();
        } catch (IOException | RuntimeException e) { // the latter where the queue closes
            close(new IOException(e));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts to connect. The event comes once the other side has said that it is a socket of this package and type.
     *
     * @param address resolved, with a port
     * @param context comes back with the event
     * @throws IOException as of {@link SocketChannel#connect}, if that is known at once
     * @throws AlreadyConnectedException if it has been called before
     */
    public void connect(InetSocketAddress address, Object context) throws IOException {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                throw new ClosedChannelException();
            }
            if (state != State.NEW) {
                throw new AlreadyConnectedException();
            }
            boolean done = channel.connect(address);
            remote = address;
            connect = new Event(Event.Kind.CONNECT, this, context);
            state = State.CONNECTING;
            if (done) {
                step();
            } else {
                interest(SelectionKey.OP_CONNECT);
            }
        } catch (IOException e) {
            close(e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    @Override
    void ready() {
        lock.lock();
        try {
            if (state == State.OPEN) {
                incoming.run();
                outgoing.run();
                interest((incoming.wants() ? SelectionKey.OP_READ : 0)
                        | (outgoing.wants() ? SelectionKey.OP_WRITE : 0));
            } else if (state != State.CLOSED) {
                step();
            }
        } finally {
            lock.unlock();
        }
    }

    /** One step on the way to a connection that is open. */
    private void step() {
        try {
            if (state == State.CONNECTING && channel.finishConnect()) {
                connected();
            } else if (state == State.HANDSHAKE) {
                exchange();
            }
        } catch (IOException e) {
            close(e);
        }
    }

    private void connected() throws IOException {
        state = State.HANDSHAKE;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        remote = (InetSocketAddress) channel.getRemoteAddress();
        queue.awaitHandshake(this);
        exchange();
    }

    private void exchange() throws IOException {
        if (!handshake.exchange()) {
            interest(handshake.interest());
            return;
        }
        handshake.check(remote);
        interest(0);
        state = State.OPEN;
        if (channel instanceof RSocketChannel ours) {
            ours.useRegisteredMemory();
        }
        if (connect != null) {
            queue.add(connect.ended(0, null, null));
            connect = null;
        } else if (listener != null) {
            listener.handshakeOver(this);
        }
    }

    boolean isInHandshake() {
        return state == State.HANDSHAKE;
    }

    /** Time is up for the other side to say what it is. */
    void endHandshake() {
        lock.lock();
        try {
            if (state == State.HANDSHAKE) {
                close(new SocketTimeoutException("The peer at " + remote + " does not say what it is"));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts to send bytes, or one message. They belong to the send until it ends, which says that they are on their
     * way, not that they have arrived.
     *
     * @param memory holds them
     * @param offset of the first one
     * @param length how many; 0 only for a message
     * @param context comes back with the event
     * @throws ClosedChannelException if the socket is closed
     * @throws NotYetConnectedException if it is not connected yet
     */
    public void send(RegisteredMemory memory, int offset, int length, Object context) throws ClosedChannelException {
        start(Event.Kind.SEND, memory, offset, length, false, context);
    }

    /**
     * Starts to receive: bytes, one or more, or one message. A longer message fails with a
     * {@link MessageTooLongException}.
     *
     * @param memory where they go
     * @param offset of the first one
     * @param length how many at most; 0 only for a message
     * @param context comes back with the event
     * @throws ClosedChannelException if the socket is closed
     * @throws NotYetConnectedException if it is not connected yet
     */
    public void receive(RegisteredMemory memory, int offset, int length, Object context) throws ClosedChannelException {
        start(Event.Kind.RECEIVE, memory, offset, length, false, context);
    }

    /**
     * Starts to receive as many bytes as there is room for, as MSG_WAITALL does. It ends with fewer only where the
     * stream does.
     *
     * @param memory where they go
     * @param offset of the first one
     * @param length how many
     * @param context comes back with the event
     * @throws ClosedChannelException if the socket is closed
     * @throws NotYetConnectedException if it is not connected yet
     * @throws UnsupportedOperationException if it is a socket of messages
     */
    public void receiveAll(RegisteredMemory memory, int offset, int length, Object context)
            throws ClosedChannelException {
        if (type == SocketType.MESSAGE) {
            throw new UnsupportedOperationException("Messages keep their boundaries");
        }
        start(Event.Kind.RECEIVE, memory, offset, length, true, context);
    }

    private void start(Event.Kind kind, RegisteredMemory memory, int offset, int length, boolean waitAll,
            Object context) throws ClosedChannelException {
        if (length == 0 && type == SocketType.STREAM) {
            throw new IllegalArgumentException("length=0 in a stream");
        }
        lock.lock();
        try {
            checkOpen();
            boolean send = kind == Event.Kind.SEND;
            TransferQueue direction = send ? outgoing : incoming;
            direction.add(new Event(kind, this, context, memory, offset, length, waitAll));
            if (direction.wants()) {
                watch(send ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            }
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen() throws ClosedChannelException {
        if (state == State.CLOSED) {
            throw new ClosedChannelException();
        }
        if (state != State.OPEN) {
            throw new NotYetConnectedException();
        }
    }

    /**
     * Ends the sending direction behind the sends that are pending. Later ones fail. Idempotent.
     *
     * @throws ClosedChannelException if the socket is closed
     * @throws NotYetConnectedException if it is not connected yet
     */
    public void shutdownOutput() throws ClosedChannelException {
        lock.lock();
        try {
            checkOpen();
            outgoing.shutdown();
        } finally {
            lock.unlock();
        }
    }

    /**
     * What it carries.
     *
     * @return as given, or the listener's
     */
    public SocketType type() {
        return type;
    }

    /**
     * This end's address.
     *
     * @return null if it has none yet
     * @throws IOException if it is closed
     */
    public InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    /**
     * The other end's address.
     *
     * @return null if it is not connected
     * @throws IOException if it is closed
     */
    public InetSocketAddress remoteAddress() throws IOException {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    /**
     * Closes the socket. Operations that are pending fail, and what they had not sent is lost. Waits where a
     * device uses the memory of one of them: a quarter of a second for each direction, and while another link takes
     * over. Idempotent.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            close(new AsynchronousCloseException());
        } finally {
            lock.unlock();
        }
    }

    private void close(IOException cause) {
        if (state == State.CLOSED) {
            return;
        }
        boolean opened = state == State.OPEN;
        state = State.CLOSED;
        close(channel);
        outgoing.fail(cause);
        incoming.fail(cause);
        if (connect != null) {
            queue.add(connect.ended(0, null, cause));
            connect = null;
        } else if (listener != null && !opened) {
            listener.handshakeOver(null);
        }
    }
}
