/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.InetAddress;
import java.net.Socket;

/** Talks to an echo server on the port that the argument names. */
public final class EchoClient {
    private EchoClient() { }

    public static void main(String[] args) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
            Echo.check(socket);
        }
        System.out.println("echoed");
    }
}
