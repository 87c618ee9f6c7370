/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.containers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A program that knows nothing of rsockets4j, for {@code containers}: a server of one client, or that client, or a
 * guest, which is a client that stays. Each prints the address that the client has.
 */
public final class ContainerPeer {
    private static final int TIME_LIMIT_MILLIS = 20_000;

    private ContainerPeer() {}

    /**
     * Serves one client, or is it.
     *
     * @param args {@code server}, {@code client} or {@code guest}, address, port
     * @throws IOException if it cannot
     */
    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        if (args[0].equals("server")) {
            try (ServerSocket listener = new ServerSocket()) {
                listener.bind(address);
                listener.setSoTimeout(TIME_LIMIT_MILLIS);
                System.out.println("ready");
                try (Socket accepted = listener.accept()) {
                    System.out.println("client " + accepted.getInetAddress().getHostAddress());
                    accepted.setSoTimeout(TIME_LIMIT_MILLIS);
                    accepted.getOutputStream().write(accepted.getInputStream().read());
                    accepted.getInputStream().read();
                }
            }
        } else {
            try (Socket socket = new Socket()) {
                socket.connect(address, TIME_LIMIT_MILLIS);
                System.out.println("client " + socket.getLocalAddress().getHostAddress());
                socket.setSoTimeout(TIME_LIMIT_MILLIS);
                socket.getOutputStream().write(1);
                System.out.println("read " + socket.getInputStream().read());
                if (args[0].equals("guest")) {
                    socket.getInputStream().read(); // until it is killed
                }
            }
        }
    }
}
