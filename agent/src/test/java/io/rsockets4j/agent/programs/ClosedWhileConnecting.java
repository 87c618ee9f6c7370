/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/** Closes a socket that is being connected to a stopped process, prints how the connect ended, and echoes then. */
public final class ClosedWhileConnecting {
    private ClosedWhileConnecting() { }

    /** Arguments: the server's port, and its process. */
    public static void main(String[] args) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        signal("STOP", args[1]);
        Socket socket = new Socket();
        CompletableFuture<String> ended = new CompletableFuture<>();
        Thread connecting = new Thread(() -> ended.complete(connect(socket, address)));
        connecting.start();
        while (connecting.getState() != Thread.State.TIMED_WAITING && !ended.isDone()) {
            Thread.onSpinWait();
        }
        socket.close();
        signal("CONT", args[1]);
        System.out.println(ended.join());
        try (Socket next = new Socket(address.getAddress(), address.getPort())) {
            Echo.check(next);
        }
        System.out.println("echoed");
    }

    private static String connect(Socket socket, InetSocketAddress address) {
        try {
            socket.connect(address);
            return "connected";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void signal(String name, String process) throws Exception {
        if (new ProcessBuilder("kill", "-" + name, process).inheritIO().start().waitFor() != 0) {
            throw new AssertionError(process + " was not sent " + name);
        }
    }
}
