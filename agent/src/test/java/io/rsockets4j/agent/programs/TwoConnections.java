/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * At a byte of its standard input it makes two connections to an echo server, sends a byte by each, and prints how many
 * came back. It keeps the connections until its input ends.
 */
public final class TwoConnections {
    private TwoConnections() { }

    /** Arguments: the port, and how many milliseconds a byte may take to come back. */
    public static void main(String[] args) throws IOException {
        System.out.println("ready");
        System.in.read();
        try (Socket one = connect(args); Socket other = connect(args)) {
            System.out.println(echoed(one) + echoed(other));
            System.in.read();
        }
    }

    private static Socket connect(String[] args) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        socket.setSoTimeout(Integer.parseInt(args[1]));
        socket.getOutputStream().write(7);
        return socket;
    }

    private static int echoed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == 7 ? 1 : 0;
        } catch (SocketTimeoutException e) {
            return 0; // nobody serves it
        }
    }
}
