/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.ServerSocket;
import java.net.Socket;

/**
 * Echoes over Socket and ServerSocket, and looks at addresses and options on the way; with an argument, after a byte of
 * standard input.
 */
public final class SocketEcho {
    private SocketEcho() { }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.out.println("ready");
            System.in.read();
        }
        try (ServerSocket listener = new ServerSocket(0)) {
            Thread server = Echo.serve(listener);
            try (Socket socket = new Socket("localhost", listener.getLocalPort())) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(30_000);
                boolean right = socket.getTcpNoDelay() && socket.getPort() == listener.getLocalPort()
                        && socket.getLocalPort() > 0 && socket.getLocalAddress().isLoopbackAddress();
                if (!right) {
                    throw new AssertionError(socket + " " + socket.getLocalSocketAddress());
                }
                Echo.check(socket);
            }
            server.join();
        }
        System.out.println("echoed");
    }
}
