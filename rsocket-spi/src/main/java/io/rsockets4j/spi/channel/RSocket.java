/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.stream.LinkStream;
import io.rsockets4j.spi.stream.StreamInput;
import io.rsockets4j.spi.stream.StreamOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;

/** A channel as a socket. Everything happens in the channel; only the read timeout lives here. */
final class RSocket extends Socket {
    private static final String CLOSED = "Socket is closed";
    private static final String CONNECTED = "Already connected";
    /** Whether the JDK's adaptor says so by a SocketException, and before it looks at the address; 17 did not. */
    private static final boolean TELLS_OF_CONNECTION = Runtime.version().feature() > 21;

    private final RSocketChannel channel;
    private volatile int timeoutMillis;

    private RSocket(RSocketChannel channel) throws SocketException {
        super((SocketImpl) null);
        this.channel = channel;
    }

    static RSocket of(RSocketChannel channel) {
        try {
            return new RSocket(channel);
        } catch (SocketException e) {
            throw new AssertionError(e); // declared by Socket, and never thrown without an implementation
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        if (!channel.isOpen()) {
            ClosedChannels.socket(channel.isInBlockingMode()).socket().connect(remote, timeout); // throws
        }
        if (remote == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        if (!channel.isInBlockingMode()) {
            throw new IllegalBlockingModeException();
        }
        if (TELLS_OF_CONNECTION && channel.stream() != null && isUnresolved(remote)) {
            throw new SocketException(CONNECTED);
        }
        try {
            channel.connect(remote, timeout);
        } catch (AlreadyConnectedException e) {
            if (TELLS_OF_CONNECTION) {
                throw socketException(CONNECTED, e);
            }
            throw e;
        }
    }

    private static boolean isUnresolved(SocketAddress remote) {
        return remote instanceof InetSocketAddress inet && inet.isUnresolved();
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (channel.stream() != null) {
            throw socketException("Already bound", new AlreadyBoundException());
        }
        try {
            channel.jdkSide().socket().bind(local);
        } catch (AlreadyBoundException e) {
            throw socketException("Already bound", e);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        checkConnected();
        if (isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        LinkStream link = channel.stream();
        return link != null ? new StreamInput(link, channel, () -> timeoutMillis)
                : new ChannelInput(channel, jdkSocket().getInputStream());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        checkConnected();
        if (isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        LinkStream link = channel.stream();
        return link != null ? new StreamOutput(link, channel)
                : new ChannelOutput(channel, jdkSocket().getOutputStream());
    }

    private void checkConnected() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException(CLOSED);
        }
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    /** The JDK's adaptor, with our read timeout. */
    private Socket jdkSocket() throws IOException {
        Socket jdk = channel.jdkSide().socket();
        jdk.setSoTimeout(timeoutMillis);
        return jdk;
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        checkOpen();
        if (timeout < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeoutMillis = timeout;
        if (channel.jdkChannel() instanceof SocketChannel jdk) {
            jdk.socket().setSoTimeout(timeout);
        }
    }

    @Override
    public int getSoTimeout() throws SocketException {
        checkOpen();
        return timeoutMillis;
    }

    @Override
    public void shutdownInput() throws IOException {
        checkConnectedIfOpen();
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        checkConnectedIfOpen();
        channel.shutdownOutput();
    }

    private void checkConnectedIfOpen() throws SocketException {
        if (channel.isOpen() && !channel.isConnected()) {
            throw socketException("Socket is not connected", new NotYetConnectedException());
        }
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        LinkStream link = channel.stream();
        if (link != null) {
            if (!link.writeUrgent((byte) data)) {
                throw new IOException("Socket buffer full");
            }
        } else {
            channel.jdkSide().socket().sendUrgentData(data);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    // ---- state and addresses

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return channel.localOrNull() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return channel.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.isOutputShut();
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remoteOrNull();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remoteOrNull();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.isOpen() ? channel.localOrNull() : null;
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.localOrNull();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return channel.localOrNull();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return channel.remoteOrNull();
    }

    // ---- options

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        set(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return get(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        set(StandardSocketOptions.SO_LINGER, on ? linger : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        set(oobInline(), on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return get(oobInline());
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid send size");
        }
        set(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid receive size");
        }
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return get(StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        set(StandardSocketOptions.IP_TOS, trafficClass);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return get(StandardSocketOptions.IP_TOS);
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @SuppressWarnings("unchecked") // it is a boolean option that the JDK supports without naming it in public
    private SocketOption<Boolean> oobInline() {
        for (SocketOption<?> option : supportedOptions()) {
            if (option.name().equals("SO_OOBINLINE")) {
                return (SocketOption<Boolean>) option;
            }
        }
        throw new UnsupportedOperationException("SO_OOBINLINE");
    }

    private <T> void set(SocketOption<T> name, T value) throws SocketException {
        try {
            channel.setOption(name, value);
        } catch (IOException e) {
            throw translated(e);
        }
    }

    private <T> T get(SocketOption<T> name) throws SocketException {
        try {
            return channel.getOption(name);
        } catch (IOException e) {
            throw translated(e);
        }
    }

    private void checkOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException(CLOSED);
        }
    }

    private static SocketException translated(IOException cause) {
        if (cause instanceof SocketException same) {
            return same;
        }
        return socketException(cause instanceof ClosedChannelException ? CLOSED : cause.getMessage(), cause);
    }

    private static SocketException socketException(String message, Exception cause) {
        SocketException exception = new SocketException(message);
        exception.initCause(Objects.requireNonNull(cause));
        return exception;
    }

    @Override
    public String toString() {
        return isConnected() ? "Socket[addr=" + getInetAddress() + ",port=" + getPort() + ",localport=" + getLocalPort()
                + "]" : "Socket[unconnected]";
    }
}
