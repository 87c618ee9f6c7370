/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread for each connection, which answers each request of {@link #REQUEST} bytes with {@link #ANSWER} bytes. */
public final class EchoServer {
    /** Length of a request, in bytes. */
    public static final int REQUEST = 100;
    /** Length of an answer, in bytes. */
    public static final int ANSWER = 1_000;

    private EchoServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args {@code virtual} for virtual threads, which need Java 21
     */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        ExecutorService threads = args.length > 0 ? virtualThreads() : Executors.newCachedThreadPool();
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(Servers.anyPort());
            Servers.announce(listener.getLocalPort());
            while (true) {
                Socket socket = listener.accept();
                threads.execute(() -> serve(socket));
            }
        }
    }

    /**
     * Makes what runs each task on a virtual thread of its own.
     *
     * @return to run tasks
     * @throws ReflectiveOperationException before Java 21
     */
    public static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private static void serve(Socket socket) {
        byte[] request = new byte[REQUEST];
        byte[] answer = Content.bytes(ANSWER);
        try (socket) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                in.readFully(request);
                out.write(answer);
            }
        } catch (IOException e) {
            System.err.println("a connection ended: " + e);
        }
    }
}
