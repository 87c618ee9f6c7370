/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a connection to a port, as a pool does: connects anew whenever the server ends, and waits for the next one.
 * Arguments: the port, how many servers there are, and perhaps a word if they echo: then a connection counts once a
 * byte has come back. Prints a line with each connection; with the last one it ends when its standard input does.
 */
public final class KeptClient {
    private static final long NANOS_BETWEEN = 2_000_000;
    private static final int TIME_LIMIT_SECONDS = 40;

    private KeptClient() { }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        for (int left = Integer.parseInt(args[1]); left > 0; left--) {
            try (Socket socket = connect(port)) {
                if (args.length > 2) {
                    assertEchoes(socket); // a server that is killed before it accepts resets the connection
                }
                System.out.println("connected");
                if (left == 1) {
                    System.in.read();
                } else {
                    awaitEnd(socket);
                }
            }
        }
    }

    private static Socket connect(int port) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIME_LIMIT_SECONDS);
        while (System.nanoTime() - end < 0) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (ConnectException e) {
                TimeUnit.NANOSECONDS.sleep(NANOS_BETWEEN); // the pace of such clients
            }
        }
        throw new IllegalStateException("nobody came");
    }

    private static void assertEchoes(Socket socket) throws IOException {
        socket.getOutputStream().write(1);
        if (socket.getInputStream().read() != 1) {
            throw new EOFException("another byte than was sent, or none");
        }
    }

    private static void awaitEnd(Socket socket) {
        try {
            System.out.println(socket.getInputStream().read() < 0 ? "ended" : "spoken to");
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
