/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.InetAddress;
import java.net.ServerSocket;

/** Prints its port and echoes to as many clients as the argument says, one after another. */
public final class EchoServer {
    private EchoServer() { }

    /** Arguments: how many clients to serve, and perhaps a port. */
    public static void main(String[] args) throws Exception {
        int port = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        try (ServerSocket listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            System.out.println(listener.getLocalPort());
            for (int i = Integer.parseInt(args[0]); i > 0; i--) {
                Echo.serve(listener).join();
            }
        }
    }
}
