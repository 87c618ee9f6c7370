/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.connects;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long a new process takes for its first connections, all of which stay open: plain TCP and with the agent, by
 * turns, each time with a new server and a new client. Each connection carries a byte to the server, which has one
 * thread with a selector, and back.
 *
 * <pre>java -cp it/target/test-classes io.rsockets4j.it.connects.KeptConnects AGENT.jar [CONNECTIONS [TURNS]]</pre>
 *
 * <p>Both processes need a descriptor for each connection: {@code ulimit -n 20000}.
 */
final class KeptConnects {
    private static final int CONNECTIONS = 10_000;
    private static final int TURNS = 5;
    private static final int BACKLOG = 1024;
    private static final int LIMIT_MINUTES = 5; // for a process

    private KeptConnects() { }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "serve" -> serve();
            case "connect" -> connect(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            default -> measure(args[0], args.length > 1 ? Integer.parseInt(args[1]) : CONNECTIONS,
                    args.length > 2 ? Integer.parseInt(args[2]) : TURNS);
        }
    }

    // ---- by turns

    private static void measure(String agent, int connections, int turns) throws IOException {
        double[] tcp = new double[turns];
        double[] ours = new double[turns];
        for (int turn = 0; turn < turns; turn++) {
            if (turn % 2 == 0) {
                tcp[turn] = seconds(List.of(), connections);
            }
            ours[turn] = seconds(List.of("-javaagent:" + agent + "=paths=shm"), connections);
            if (turn % 2 != 0) {
                tcp[turn] = seconds(List.of(), connections);
            }
            System.out.printf(Locale.ROOT, "turn %d: tcp %.2f s, ours %.2f s, %.2fx%n", turn + 1, tcp[turn], ours[turn],
                    ours[turn] / tcp[turn]);
        }
        System.out.printf(Locale.ROOT, "first %,d connects: tcp %.2f s, ours %.2f s; median of the turns %.2fx%n",
                connections, median(tcp), median(ours), medianRatio(tcp, ours));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double medianRatio(double[] tcp, double[] ours) {
        double[] ratios = new double[tcp.length];
        Arrays.setAll(ratios, i -> ours[i] / tcp[i]);
        return median(ratios);
    }

    private static double seconds(List<String> options, int connections) throws IOException {
        Process server = start(options, "serve");
        try {
            Process client = start(options, "connect", line(server), Integer.toString(connections));
            try {
                return Double.parseDouble(line(client));
            } finally {
                client.destroyForcibly();
            }
        } finally {
            server.destroyForcibly();
        }
    }

    private static Process start(List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(KeptConnects.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        CompletableFuture.delayedExecutor(LIMIT_MINUTES, TimeUnit.MINUTES).execute(process::destroyForcibly);
        return process;
    }

    private static String line(Process process) throws IOException {
        String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null) {
            throw new IOException("a process ended before its time");
        }
        return line;
    }

    // ---- the two processes

    private static void serve() throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.configureBlocking(false);
        System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
        Selector selector = Selector.open();
        server.register(selector, SelectionKey.OP_ACCEPT);
        ByteBuffer buffer = ByteBuffer.allocateDirect(1);
        for (;;) {
            selector.select();
            for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); keys.remove()) {
                SelectionKey key = keys.next();
                if (key.isAcceptable()) {
                    for (SocketChannel c = server.accept(); c != null; c = server.accept()) {
                        c.configureBlocking(false);
                        c.register(selector, SelectionKey.OP_READ);
                    }
                } else if (((SocketChannel) key.channel()).read(buffer.clear()) > 0) {
                    ((SocketChannel) key.channel()).write(buffer.flip());
                } else {
                    key.channel().close();
                }
            }
        }
    }

    private static void connect(int port, int connections) throws IOException {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        List<SocketChannel> channels = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocateDirect(1);
        long start = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channels.add(channel);
            channel.write(buffer.clear());
            if (channel.read(buffer.clear()) != 1) {
                throw new IOException("connection " + i + " has ended");
            }
        }
        System.out.println((System.nanoTime() - start) / 1e9);
        System.out.flush();
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
