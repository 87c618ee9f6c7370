/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketImpl;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Gives implAccept sockets with its own implementations, the JDK's and none, and looks at their fields. */
public final class AcceptCombinations {
    private AcceptCombinations() { }

    public static void main(String[] args) throws Exception {
        acceptInto(new OwnServer(new OwnSocket((SocketImpl) null)));
        acceptInto(new OwnServer(new OwnSocket(Proxy.NO_PROXY)));
        acceptInto(new OwnServer(new Own(true), new OwnSocket(new Own(false))));
        refuse(new OwnServer(new OwnSocket(new Own(false))));
        refuse(new OwnServer(new Own(true), new OwnSocket(Proxy.NO_PROXY)));
    }

    private static void acceptInto(OwnServer server) throws Exception {
        try (server; Socket client = new Socket("localhost", server.getLocalPort());
                Socket accepted = server.accept()) {
            client.getOutputStream().write('x');
            if (accepted.getInputStream().read() != 'x') {
                throw new AssertionError("not what the client wrote");
            }
            checkFields(accepted, client.getLocalPort(), server.getLocalPort());
            checkFields(client, server.getLocalPort(), client.getLocalPort());
        }
    }

    /** As the JDK: an implementation of the one kind cannot be accepted by one of the other. */
    private static void refuse(OwnServer server) throws IOException {
        try (server) {
            server.accept();
            throw new AssertionError("accepted");
        } catch (IOException e) {
            if (!e.getMessage().contains("cannot accept")) {
                throw e;
            }
        }
    }

    private static void checkFields(Socket socket, int port, int localPort) throws ReflectiveOperationException {
        Field impl = Socket.class.getDeclaredField("impl");
        impl.setAccessible(true);
        Object of = impl.get(socket);
        if (of.getClass().getName().equals("java.net.SocksSocketImpl")) {
            Field delegate = of.getClass().getSuperclass().getDeclaredField("delegate");
            delegate.setAccessible(true);
            of = delegate.get(of);
        }
        FileDescriptor descriptor = (FileDescriptor) field(of, "fd");
        if (descriptor == null || !((InetAddress) field(of, "address")).isLoopbackAddress()
                || !field(of, "port").equals(port) || !field(of, "localport").equals(localPort)) {
            throw new AssertionError("fields of " + of + ": " + descriptor + ", " + field(of, "localport"));
        }
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = SocketImpl.class.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static final class OwnSocket extends Socket {
        OwnSocket(SocketImpl impl) throws IOException {
            super(impl);
        }

        OwnSocket(Proxy proxy) {
            super(proxy);
        }
    }

    private static final class OwnServer extends ServerSocket {
        private final Socket next;

        OwnServer(Socket next) throws IOException {
            super(0);
            this.next = next;
        }

        OwnServer(SocketImpl impl, Socket next) throws IOException {
            super(impl);
            this.next = next;
            bind(new InetSocketAddress(0));
        }

        @Override
        public Socket accept() throws IOException {
            implAccept(next);
            return next;
        }
    }

    /** An implementation over channels. */
    private static final class Own extends SocketImpl {
        private final boolean server;
        private ServerSocketChannel listener;
        private SocketChannel channel;

        Own(boolean server) {
            this.server = server;
        }

        @Override
        protected void create(boolean stream) throws IOException {
            if (server) {
                listener = ServerSocketChannel.open();
            }
        }

        @Override
        protected void connect(String host, int remotePort) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void connect(InetAddress remote, int remotePort) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void connect(SocketAddress remote, int timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void bind(InetAddress host, int localPort) throws IOException {
            listener.bind(new InetSocketAddress(host, localPort));
            localport = listener.socket().getLocalPort();
        }

        @Override
        protected void listen(int backlog) { }

        @Override
        protected void accept(SocketImpl into) throws IOException {
            ((Own) into).accepted(listener.accept());
        }

        private void accepted(SocketChannel newChannel) {
            channel = newChannel;
            address = channel.socket().getInetAddress();
            port = channel.socket().getPort();
            localport = channel.socket().getLocalPort();
        }

        @Override
        protected InputStream getInputStream() {
            return Channels.newInputStream(channel);
        }

        @Override
        protected OutputStream getOutputStream() {
            return Channels.newOutputStream(channel);
        }

        @Override
        protected int available() {
            return 0;
        }

        @Override
        protected void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
            if (listener != null) {
                listener.close();
            }
        }

        @Override
        protected void sendUrgentData(int data) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setOption(int id, Object value) { }

        @Override
        public Object getOption(int id) {
            return null;
        }
    }
}
