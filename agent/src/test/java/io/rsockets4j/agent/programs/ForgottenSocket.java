/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Drops a socket without closing it, and waits until the garbage collector has told the peer. */
public final class ForgottenSocket {
    private static final int TRIES = 100;

    private ForgottenSocket() { }

    public static void main(String[] args) throws Exception {
        try (ServerSocket listener = new ServerSocket(0)) {
            forget(listener.getLocalPort());
            try (Socket socket = listener.accept()) {
                socket.setSoTimeout(100);
                if (socket.getInputStream().read() != 'x' || !ends(socket)) {
                    throw new AssertionError("no one noticed");
                }
            }
        }
    }

    private static boolean ends(Socket socket) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            System.gc();
            try {
                return socket.getInputStream().read() == -1;
            } catch (SocketTimeoutException e) {
                System.out.println("still open: " + e.getMessage());
            }
        }
        return false;
    }

    @SuppressWarnings("resource") // the point
    private static void forget(int port) throws IOException {
        new Socket("localhost", port).getOutputStream().write('x');
    }
}
