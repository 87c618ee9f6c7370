/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.program;

import io.rsockets4j.bench.net.ServerHost;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;

/** Connects, sends a byte, reads one, closes, and prints how many nanoseconds that took until the byte was there. */
public final class OneByte {
    private OneByte() {}

    /**
     * Does so.
     *
     * @param args the port of a server that sends bytes back, on the benchmark's host
     * @throws IOException if there is no such server
     */
    public static void main(String[] args) throws IOException {
        String host = System.getProperty(ServerHost.PROPERTY); // null is the loopback address
        int port = Integer.parseInt(args[0]);
        long startNs = System.nanoTime();
        Socket socket = new Socket(host, port);
        socket.getOutputStream().write(1);
        if (socket.getInputStream().read() < 0) {
            throw new EOFException("the server closed before it answered");
        }
        long elapsedNs = System.nanoTime() - startNs;
        socket.close();
        System.out.println("@".concat(Long.toString(elapsedNs))); // the operator would cost more than the connection
    }
}
