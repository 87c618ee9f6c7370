/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A process of the soak, which knows nothing of rsockets4j. It obeys its standard input, a command a line, answers each
 * by a line, and ends with it.
 */
final class Peer {
    private static final int WORKERS = 4;
    private static final int OPEN_PER_SELECTOR = 6;
    private static final int MOST_BUFFER_BYTES = 60_000;

    private final String host;
    private final Outcomes outcomes;
    private final int largest;
    private InetSocketAddress streams;
    private InetSocketAddress selector;

    private Peer(String host, boolean server, int largest) {
        this.host = host;
        this.outcomes = new Outcomes(server);
        this.largest = largest;
    }

    /**
     * Runs a server or a client.
     *
     * @param args {@code server ADDRESS}, or {@code client ADDRESS LARGEST PORT PORT}
     * @throws Exception if it cannot even begin
     */
    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> end(e)); // then there is no answer
        boolean server = args[0].equals("server");
        Peer peer = new Peer(args[1], server, server ? 0 : Integer.parseInt(args[2]));
        if (server) {
            peer.serve();
        } else {
            peer.streams = new InetSocketAddress(args[1], Integer.parseInt(args[3]));
            peer.selector = new InetSocketAddress(args[1], Integer.parseInt(args[4]));
            System.out.println("ready");
        }
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            System.out.println(words[0].equals("measure") ? measure()
                    : peer.converse(Long.parseLong(words[1]), Long.parseLong(words[2])));
        }
    }

    /** The Java threads that live, and the heap in kilobytes after a collection. */
    private static String measure() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc(); // what the first one has found to be unreachable is freed
        return ManagementFactory.getThreadMXBean().getThreadCount() + " "
                + memory.getHeapMemoryUsage().getUsed() / 1024;
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    // ---- server

    private void serve() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(host, 0), 200);
        start("accept", () -> acceptAll(server));
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.bind(new InetSocketAddress(host, 0), 200);
        start("selector", () -> select(channel));
        System.out.println(server.getLocalPort() + " " + ((InetSocketAddress) channel.getLocalAddress()).getPort());
    }

    private void acceptAll(ServerSocket server) {
        try {
            for (;;) {
                Socket socket = server.accept();
                start("serve", () -> converse(new ServerSide(), socket, MOST_BUFFER_BYTES));
            }
        } catch (IOException e) {
            end(e);
        }
    }

    private void select(ServerSocketChannel channel) {
        try {
            new Selecting(outcomes).serve(channel);
        } catch (IOException | RuntimeException e) {
            end(e);
        }
    }

    /** Nothing that a peer does ends a thread in this way. */
    private static void end(Throwable cause) {
        cause.printStackTrace();
        Runtime.getRuntime().halt(3);
    }

    // ---- client

    /** Converses for so long by several threads at once, and says how that went. */
    private String converse(long millis, long seed) throws InterruptedException {
        if (streams == null) {
            return outcomes.toString(); // of a server
        }
        long deadline = System.nanoTime() + millis * 1_000_000;
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            SplittableRandom random = new SplittableRandom(seed + i);
            boolean selects = i == 0;
            Thread worker = new Thread(() -> {
                if (selects) {
                    selectUntil(deadline, random);
                } else {
                    blockUntil(deadline, random);
                }
            }, "worker");
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
        return outcomes.toString();
    }

    private void blockUntil(long deadline, SplittableRandom random) {
        while (System.nanoTime() - deadline < 0) {
            InetSocketAddress to = random.nextBoolean() ? streams : selector;
            ClientSide side = new ClientSide(Plan.draw(random, largest));
            int bufferBytes = 1 + random.nextInt(MOST_BUFFER_BYTES);
            try {
                if (random.nextInt(20) == 0) {
                    abandon(to, random);
                } else if (random.nextBoolean()) {
                    converse(side, new Socket(to.getAddress(), to.getPort()), bufferBytes);
                } else {
                    converse(side, SocketChannel.open(to), bufferBytes);
                }
            } catch (IOException e) {
                outcomes.failed(e);
            }
        }
    }

    private void converse(Side side, Socket socket, int bufferBytes) {
        try (socket) {
            Blocking.run(side, socket, bufferBytes);
            outcomes.done(side);
        } catch (IOException | CorruptionException e) {
            outcomes.failed(e);
        }
    }

    private void converse(Side side, SocketChannel channel, int bufferBytes) {
        try (channel) {
            Blocking.run(side, channel, bufferBytes);
            outcomes.done(side);
        } catch (IOException | CorruptionException e) {
            outcomes.failed(e);
        }
    }

    /** Begins a conversation and closes in the middle, with bytes unread. */
    private void abandon(InetSocketAddress to, SplittableRandom random) throws IOException {
        try (Socket socket = new Socket(to.getAddress(), to.getPort())) {
            ByteBuffer header = ByteBuffer.allocate(Plan.BYTES);
            new Plan(random.nextInt(), 1, 0, 1 + random.nextInt(largest)).write(header);
            socket.getOutputStream().write(header.array(), 0, random.nextInt(Plan.BYTES + 1));
        }
    }

    private void selectUntil(long deadline, SplittableRandom random) {
        try {
            Selecting selecting = new Selecting(outcomes);
            while (System.nanoTime() - deadline < 0 || selecting.open() > 0) {
                while (System.nanoTime() - deadline < 0 && selecting.open() < OPEN_PER_SELECTOR) {
                    selecting.connect(random.nextBoolean() ? streams : selector,
                            new ClientSide(Plan.draw(random, largest)));
                }
                selecting.turn();
            }
            selecting.close();
        } catch (IOException e) {
            outcomes.failed(e);
        }
    }
}
