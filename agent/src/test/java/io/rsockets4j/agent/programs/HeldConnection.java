/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Connects to itself, sends 5 bytes one way and 3 the other, says so, and keeps the connection until told to end. */
public final class HeldConnection {
    private HeldConnection() { }

    public static void main(String[] args) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            client.getOutputStream().write(new byte[5]);
            server.getInputStream().readNBytes(5);
            server.getOutputStream().write(new byte[3]);
            client.getInputStream().readNBytes(3);
            System.out.println("ready");
            System.in.read();
        }
    }
}
