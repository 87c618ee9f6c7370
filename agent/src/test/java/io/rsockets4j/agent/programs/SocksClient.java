/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;

/** Goes to an echo server by a SOCKS proxy, first one of its own choice, then one that system properties name. */
public final class SocksClient {
    private static final int VERSION = 5;
    private static final int IPV4 = 1;
    private static final int NAME = 3;
    private static final byte[] METHOD_REPLY = {VERSION, 0};
    private static final byte[] CONNECT_REPLY = {VERSION, 0, 0, IPV4, 127, 0, 0, 1, 0, 0};

    private SocksClient() { }

    public static void main(String[] args) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket proxy = new ServerSocket(0, 50, loopback);
                ServerSocket listener = new ServerSocket(0, 50, loopback)) {
            goBy(proxy, listener, new Socket(new Proxy(Proxy.Type.SOCKS, proxy.getLocalSocketAddress())));
            System.setProperty("socksProxyHost", "127.0.0.1");
            System.setProperty("socksProxyPort", String.valueOf(proxy.getLocalPort()));
            System.setProperty("socksNonProxyHosts", "");
            goBy(proxy, listener, new Socket());
        }
    }

    private static void goBy(ServerSocket proxy, ServerSocket listener, Socket socket) throws IOException {
        Echo.serve(listener);
        start(() -> forward(proxy));
        try (socket) {
            socket.connect(InetSocketAddress.createUnresolved("target.example", listener.getLocalPort()), 10_000);
            Echo.check(socket);
        }
    }

    /** Serves one client of the proxy; every name means this host. */
    private static void forward(ServerSocket proxy) throws IOException {
        try (Socket client = proxy.accept(); Socket target = new Socket(Proxy.NO_PROXY)) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            in.readByte();
            in.skipNBytes(in.readByte());
            client.getOutputStream().write(METHOD_REPLY);
            in.skipNBytes(3);
            int kind = in.readByte();
            in.skipNBytes(kind == NAME ? in.readByte() : 4);
            target.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), in.readUnsignedShort()));
            client.getOutputStream().write(CONNECT_REPLY);
            Thread back = start(() -> {
                target.getInputStream().transferTo(client.getOutputStream());
                client.shutdownOutput();
            });
            in.transferTo(target.getOutputStream());
            target.shutdownOutput();
            join(back);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    private static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.start();
        return thread;
    }
}
