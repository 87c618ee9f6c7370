/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.ServerSocket;
import java.net.Socket;

/** Has sockets before the agent comes, and goes on with them and with others when its input ends. */
public final class LateAgent {
    private LateAgent() { }

    public static void main(String[] args) throws Exception {
        try (ServerSocket early = new ServerSocket(0); Socket waiting = new Socket()) {
            System.out.println("ready");
            System.in.transferTo(System.out);
            connect(early, waiting);
        }
        try (ServerSocket late = new ServerSocket(0); Socket socket = new Socket()) {
            connect(late, socket);
        }
    }

    private static void connect(ServerSocket listener, Socket socket) throws Exception {
        Thread server = Echo.serve(listener);
        socket.connect(listener.getLocalSocketAddress());
        Echo.check(socket);
        server.join();
    }
}
