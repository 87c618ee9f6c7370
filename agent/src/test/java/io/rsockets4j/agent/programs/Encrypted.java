/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;

/** Sends a message through TLS and back; the keys are named by system properties. */
public final class Encrypted {
    private static final int SIZE = 200_000;

    private Encrypted() { }

    public static void main(String[] args) throws Exception {
        byte[] message = new byte[SIZE];
        Arrays.fill(message, (byte) 42);
        try (ServerSocket listener = SSLServerSocketFactory.getDefault().createServerSocket(0)) {
            Thread server = new Thread(() -> {
                try (Socket socket = listener.accept()) {
                    socket.getOutputStream().write(socket.getInputStream().readNBytes(SIZE));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            server.start();
            try (Socket socket = SSLSocketFactory.getDefault().createSocket("localhost", listener.getLocalPort())) {
                Thread writer = new Thread(() -> {
                    try {
                        socket.getOutputStream().write(message);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                writer.start();
                if (!Arrays.equals(message, socket.getInputStream().readAllBytes())) {
                    throw new AssertionError("the message is wrong");
                }
            }
            server.join();
        }
    }
}
