/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.EOFException;
import java.net.InetAddress;
import java.net.Socket;

/** Sends a byte to an echo server, reads it back, and prints how many microseconds that took from the connect on. */
public final class ByteClient {
    private static final int NANOS_PER_MICRO = 1000;

    private ByteClient() { }

    /** Arguments: the port, and perhaps a word: then the connection is kept until the input ends. */
    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
            socket.getOutputStream().write(7);
            if (socket.getInputStream().read() != 7) {
                throw new EOFException("another byte than was sent, or none");
            }
            System.out.println((System.nanoTime() - start) / NANOS_PER_MICRO);
            if (args.length > 1) {
                System.in.read();
            }
        }
    }
}
