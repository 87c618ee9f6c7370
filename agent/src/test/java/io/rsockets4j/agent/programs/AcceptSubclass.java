/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** Accepts into sockets of its own class. */
public final class AcceptSubclass {
    private AcceptSubclass() { }

    private static final class OwnSocket extends Socket { }

    private static final class OwnServerSocket extends ServerSocket {
        OwnServerSocket() throws IOException {
            super(0);
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket = new OwnSocket();
            socket.setSoTimeout(20_000);
            implAccept(socket);
            if (socket.getSoTimeout() != 20_000) {
                throw new AssertionError("the timeout is lost: " + socket.getSoTimeout());
            }
            return socket;
        }
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocket listener = new OwnServerSocket()) {
            Thread server = Echo.serve(listener);
            try (Socket socket = new Socket("localhost", listener.getLocalPort())) {
                Echo.check(socket);
            }
            server.join();
        }
    }
}
