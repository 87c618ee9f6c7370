/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** The program of a {@link Peer}: plain sockets, which know nothing of what they run over. */
public final class PeerMain {
    /** The seed of what a peer sends. */
    public static final long SEED = 77;

    private static final List<SocketChannel> HELD = new ArrayList<>();

    private PeerMain() {
    }

    /**
     * Runs one command.
     *
     * <ul>
     * <li>{@code echo PORT}: listens, and echoes to everybody for ever
     * <li>{@code accept PORT N}: listens, accepts N connections, and does nothing with them
     * <li>{@code hold PORT N}: makes N connections, and does nothing with them
     * <li>{@code send PORT BYTES}: connects, sends, closes and ends
     * <li>{@code leave PORT BYTES}: connects, sends, and ends without closing
     * <li>{@code reset PORT}: connects, and resets the connection when a byte arrives
     * </ul>
     *
     * @param args the command
     * @throws IOException when it fails
     */
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[1]);
        int number = args.length > 2 ? Integer.parseInt(args[2]) : 0;
        switch (args[0]) {
            case "echo" -> echo(port);
            case "accept" -> accept(port, number);
            case "hold" -> hold(port, number);
            case "send" -> send(port, number, true);
            case "leave" -> send(port, number, false);
            case "reset" -> reset(port);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void echo(int port) throws IOException {
        ServerSocketChannel server = listen(port);
        endWithStandardInput();
        for (;;) {
            SocketChannel accepted = server.accept();
            Thread thread = new Thread(() -> echo(accepted), "echo");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void echo(SocketChannel accepted) {
        try (accepted) {
            Wire.echo(accepted);
        } catch (IOException e) {
            System.out.println("ended " + e);
        }
    }

    private static void accept(int port, int connections) throws IOException {
        ServerSocketChannel server = listen(port);
        for (int i = 0; i < connections; i++) {
            HELD.add(server.accept());
        }
        System.out.println("accepted");
        awaitEndOfStandardInput();
    }

    private static void hold(int port, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            HELD.add(SocketChannel.open(new InetSocketAddress(Machine.peerAddress(), port)));
        }
        System.out.println("connected");
        awaitEndOfStandardInput();
    }

    private static void send(int port, int bytes, boolean close) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(Machine.peerAddress(), port));
        HELD.add(channel);
        Wire.send(channel, new Payload(SEED), bytes, 10_007);
        if (close) {
            channel.close();
        }
        System.out.println("sent");
    }

    private static void reset(int port) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(Machine.peerAddress(), port));
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        Wire.readFully(channel, ByteBuffer.allocate(1));
        channel.close();
        System.out.println("reset");
        awaitEndOfStandardInput();
    }

    private static ServerSocketChannel listen(int port) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Machine.address(), port));
        System.out.println("listening " + ((InetSocketAddress) server.getLocalAddress()).getPort());
        return server;
    }

    private static void endWithStandardInput() {
        Thread thread = new Thread(() -> {
            awaitEndOfStandardInput();
            System.exit(0);
        }, "standard-input");
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitEndOfStandardInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new IllegalStateException("standard input", e);
        }
    }
}
