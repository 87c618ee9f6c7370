/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/** Both ends of an echo. */
final class Echo {
    private static final int SIZE = 100_000;

    private Echo() { }

    /** Accepts one connection and serves it on a thread of its own. */
    static Thread serve(ServerSocket listener) {
        Thread server = new Thread(() -> {
            try (Socket socket = listener.accept()) {
                socket.getInputStream().transferTo(socket.getOutputStream());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        server.start();
        return server;
    }

    /** Sends bytes, ends the output, and checks that the same come back, and then the end. */
    static void check(Socket socket) throws IOException {
        byte[] sent = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            sent[i] = (byte) (i * 31 >> 3);
        }
        Thread writer = new Thread(() -> {
            try {
                socket.getOutputStream().write(sent);
                socket.shutdownOutput();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.start();
        byte[] received = new byte[SIZE];
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.readFully(received);
        if (!Arrays.equals(sent, received) || in.read() != -1) {
            throw new AssertionError("what came back is not what was sent");
        }
    }
}
