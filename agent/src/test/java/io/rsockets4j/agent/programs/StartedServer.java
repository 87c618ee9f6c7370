/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A server whose first socket is its listener, of the kind of its first argument, on the port of its second. Sends one
 * byte to one client and waits until that has gone.
 */
public final class StartedServer {
    private static final int TIME_LIMIT_SECONDS = 40;

    private StartedServer() { }

    public static void main(String[] args) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        switch (args[0]) {
            case "socket" -> serveSocket(address);
            case "channel" -> serveChannel(address);
            case "adaptor" -> serveAdaptor(address);
            case "asynchronous" -> serveAsynchronous(address);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void serveSocket(InetSocketAddress address) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(address);
            serve(listener.accept());
        }
    }

    private static void serveChannel(InetSocketAddress address) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            serve(listener.accept().socket());
        }
    }

    private static void serveAdaptor(InetSocketAddress address) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.socket().bind(address);
            serve(listener.socket().accept());
        }
    }

    private static void serve(Socket accepted) throws IOException {
        try (accepted) {
            accepted.getOutputStream().write(1);
            accepted.getInputStream().read();
        }
    }

    private static void serveAsynchronous(InetSocketAddress address) throws Exception {
        try (AsynchronousServerSocketChannel listener = AsynchronousServerSocketChannel.open().bind(address);
                AsynchronousSocketChannel accepted = listener.accept().get(TIME_LIMIT_SECONDS, TimeUnit.SECONDS)) {
            accepted.write(ByteBuffer.allocate(1)).get(TIME_LIMIT_SECONDS, TimeUnit.SECONDS);
            accepted.read(ByteBuffer.allocate(1)).get(TIME_LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Connects again and again until someone is there, as pools do. */
    public static final class Client {
        private static final long NANOS_BETWEEN = 2_000_000;

        private Client() { }

        /** The first argument is the port, the second says whether by channel. */
        public static void main(String[] args) throws Exception {
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
            boolean byChannel = args[1].equals("channel");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIME_LIMIT_SECONDS);
            boolean waiting = false;
            while (System.nanoTime() - end < 0) {
                try (Socket socket = connect(server, byChannel)) {
                    System.out.println("read " + socket.getInputStream().read());
                    return;
                } catch (ConnectException e) {
                    if (!waiting) {
                        waiting = true;
                        System.out.println("waiting");
                    }
                    TimeUnit.NANOSECONDS.sleep(NANOS_BETWEEN);
                }
            }
            throw new IllegalStateException("nobody came");
        }

        private static Socket connect(InetSocketAddress server, boolean byChannel) throws IOException {
            if (byChannel) {
                return SocketChannel.open(server).socket();
            }
            Socket socket = new Socket();
            try {
                socket.connect(server);
                return socket;
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }
    }
}
