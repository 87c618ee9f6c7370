/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.plain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;

/** A JVM without the agent that accepts connections and closes them at once. Ends with its parent. */
public final class PlainServer implements AutoCloseable {
    private static final int BACKLOG = 4096;

    private final Process process;
    private final InetSocketAddress address;

    private PlainServer(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts one, and waits until it listens.
     *
     * @return closed by the caller
     * @throws IOException if it does not start
     */
    static PlainServer start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), PlainServer.class.getName());
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")); // may name the agent
        Process process = builder.redirectError(Redirect.INHERIT).start();
        String port = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                .readLine();
        if (port == null) {
            throw new IOException("the server did not start; what it says is above");
        }
        return new PlainServer(process, new InetSocketAddress(InetAddress.getLoopbackAddress(),
                Integer.parseInt(port)));
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.destroy();
    }

    /**
     * Serves until its parent has gone. Says its port first.
     *
     * @param args none
     * @throws IOException if it cannot listen
     */
    public static void main(String[] args) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        Thread acceptor = new Thread(() -> accept(listener), "accept");
        acceptor.setDaemon(true);
        acceptor.start();
        System.out.println(listener.socket().getLocalPort());
        System.in.transferTo(OutputStream.nullOutputStream());
    }

    private static void accept(ServerSocketChannel listener) {
        try {
            while (true) {
                SocketChannel accepted = listener.accept();
                accepted.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the server cannot accept any more", e);
        }
    }
}
