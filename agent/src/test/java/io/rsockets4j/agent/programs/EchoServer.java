/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.InetAddress;
import java.net.ServerSocket;

/** Prints its port and echoes to as many clients as the argument says, one after another. */
public final class EchoServer {
    private EchoServer() { }

    public static void main(String[] args) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println(listener.getLocalPort());
            for (int i = Integer.parseInt(args[0]); i > 0; i--) {
                Echo.serve(listener).join();
            }
        }
    }
}
