/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Echo over {@link Socket} and {@link ServerSocket} streams, one thread for each connection. */
public final class SocketEcho implements Sample {

    /** Creates the sample. */
    public SocketEcho() {}

    /**
     * Runs the sample.
     *
     * @param args {@code server [PORT]}, {@code client [HOST:]PORT [TEXT...]}, or nothing for both
     */
    public static void main(String[] args) {
        Launcher.run(new SocketEcho(), args);
    }

    @Override
    public RunningServer serve(int port) throws IOException {
        ServerSocket listener = new ServerSocket(port);
        Threads.daemon("accept", () -> accept(listener));
        return new RunningServer(listener.getLocalPort(), listener);
    }

    private static void accept(ServerSocket listener) throws IOException {
        while (!listener.isClosed()) {
            Socket connection = listener.accept();
            Threads.daemon("echo", () -> echo(connection));
        }
    }

    private static void echo(Socket connection) throws IOException {
        try (connection;
                InputStream in = connection.getInputStream();
                OutputStream out = connection.getOutputStream()) {
            connection.setTcpNoDelay(true);
            in.transferTo(out);
        }
    }

    @Override
    public String[] call(InetSocketAddress server, String... messages) throws IOException {
        String[] echoes = new String[messages.length];
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < messages.length; i++) {
                byte[] message = messages[i].getBytes(UTF_8);
                socket.getOutputStream().write(message);
                byte[] echo = socket.getInputStream().readNBytes(message.length);
                if (echo.length < message.length) {
                    throw new EOFException("the server hung up");
                }
                echoes[i] = new String(echo, UTF_8);
            }
        }
        return echoes;
    }
}
