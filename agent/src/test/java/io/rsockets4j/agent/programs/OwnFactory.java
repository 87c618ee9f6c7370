/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketImpl;

/** Has a socket implementation of its own. */
public final class OwnFactory {
    private OwnFactory() { }

    @SuppressWarnings("deprecation") // as programs of some age do
    public static void main(String[] args) throws Exception {
        Socket.setSocketImplFactory(Own::new);
        ServerSocket.setSocketFactory(Own::new);
        try (Socket socket = new Socket("localhost", 1)) {
            check(socket);
        }
        try (ServerSocket listener = new ServerSocket(1); Socket socket = listener.accept()) {
            check(socket);
        }
    }

    private static void check(Socket socket) throws IOException {
        if (socket.getInputStream().read() != 'x') {
            throw new AssertionError("not what the program's own implementation reads");
        }
    }

    private static final class Own extends SocketImpl {
        @Override
        protected void create(boolean stream) { }

        @Override
        protected void connect(String host, int remotePort) { }

        @Override
        protected void connect(InetAddress remote, int remotePort) { }

        @Override
        protected void connect(SocketAddress remote, int timeout) { }

        @Override
        protected void bind(InetAddress host, int localPort) { }

        @Override
        protected void listen(int backlog) { }

        @Override
        protected void accept(SocketImpl into) { }

        @Override
        protected InputStream getInputStream() {
            return new java.io.ByteArrayInputStream(new byte[] {'x'});
        }

        @Override
        protected OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        protected int available() {
            return 1;
        }

        @Override
        protected void close() { }

        @Override
        protected void sendUrgentData(int data) { }

        @Override
        public void setOption(int id, Object value) { }

        @Override
        public Object getOption(int id) {
            return null;
        }
    }
}
