/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import com.sun.management.ThreadMXBean;
import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ServerHost;
import io.rsockets4j.bench.net.ServerSession;
import io.rsockets4j.bench.net.Serving;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the agent adds to a connect that ends in TCP, against the JDK's own sockets in the same JVM, by turns: separate
 * JVMs differ by more than is to be measured here.
 */
final class Plain extends Work {
    static final String RATIO = "times the JDK's";
    /** How many times longer than other works it warms up and measures: compilers need some 60,000 connects. */
    private static final int LONGER = 10;
    private static final int CONNECTS = 500;
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    Plain() {
        super("plain", "connect to a plain peer",
                "Under the agent, to a server that has none: open, connect, set SO_LINGER and close, 500 times by the"
                        + " JDK's own sockets and 500 times by those that programs get, by turns. Warms up"
                        + " and measures ten times as long as other works. The ratio is of the times of all turns"
                        + " together, the one of neighbours the median of each turn's and the one beside it.",
                List.of(1),
                List.of(
                        Figure.headline(RATIO, Unit.COUNT),
                        Figure.beside("neighbours", Unit.COUNT),
                        Figure.detail("JDK's own", Unit.NANOSECONDS),
                        Figure.detail("agent's", Unit.NANOSECONDS),
                        Figure.detail("JDK's own, allocated", Unit.BYTES),
                        Figure.detail("agent's, allocated", Unit.BYTES)),
                Trait.ASKED_FOR, Trait.FRESH_JVMS);
    }

    @Override
    public boolean suits(Api api) {
        return api == Api.NIO || api == Api.SOCKET;
    }

    @Override
    public boolean suits(PathSetup route) {
        return route == PathSetup.FALLBACK;
    }

    /** For {@link JdkSockets}, whose class is not loaded here. */
    @Override
    public List<String> jvmArguments() {
        return List.of(
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--add-opens=java.base/java.net=ALL-UNNAMED");
    }

    @Override
    public Serving serving() {
        return Serving.IN_TURN;
    }

    /** Hangs up at once. */
    @Override
    public ServerSession session(Job job) {
        return new ServerSession() {
            @Override
            public ByteBuffer target() {
                return NOTHING;
            }

            @Override
            public ByteBuffer received() {
                return NOTHING;
            }

            @Override
            public boolean isFinished() {
                return true;
            }
        };
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException {
        InetSocketAddress peer = new InetSocketAddress(ServerHost.address(), stage.port());
        boolean isChannel = stage.api() == Api.NIO;
        Side jdk = new Side(isChannel ? Plain::channelsOfTheJdk : Plain::socketsOfTheJdk);
        Side agent = new Side(isChannel ? Plain::channels : Plain::sockets);
        takeTurns(jdk, agent, peer, stage.job().warmUp());
        jdk.reset();
        agent.reset();
        takeTurns(jdk, agent, peer, stage.job().measured());
        List<Double> neighbours = new ArrayList<>();
        for (int i = 0; i < jdk.turns.size(); i++) {
            neighbours.add(agent.turns.get(i) / jdk.turns.get(i));
        }
        return Map.of(
                RATIO, sum(agent.turns) / sum(jdk.turns),
                "neighbours", Figure.median(neighbours),
                "JDK's own", Figure.median(jdk.turns),
                "agent's", Figure.median(agent.turns),
                "JDK's own, allocated", jdk.bytesEach(),
                "agent's, allocated", agent.bytesEach());
    }

    /** Either goes first as often. */
    private static void takeTurns(Side jdk, Side agent, InetSocketAddress peer, Duration length) throws IOException {
        long start = System.nanoTime();
        do {
            jdk.takeTurn(peer);
            agent.takeTurn(peer);
            agent.takeTurn(peer);
            jdk.takeTurn(peer);
        } while (System.nanoTime() - start < LONGER * length.toNanos());
    }

    private static double sum(List<Double> values) {
        return values.stream().mapToDouble(each -> each).sum();
    }

    /** Some connects, one after the other. */
    private interface Loop {
        void run(InetSocketAddress peer) throws IOException;
    }

    /** One of the two that are compared: nanoseconds for each connect, by turns, and what they allocated. */
    private static final class Side {
        private final Loop loop;
        private final List<Double> turns = new ArrayList<>();
        private long allocatedBytes;

        Side(Loop loop) {
            this.loop = loop;
        }

        void takeTurn(InetSocketAddress peer) throws IOException {
            long bytes = THREAD.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            loop.run(peer);
            turns.add((double) (System.nanoTime() - start) / CONNECTS);
            allocatedBytes += THREAD.getCurrentThreadAllocatedBytes() - bytes;
        }

        void reset() {
            turns.clear();
            allocatedBytes = 0;
        }

        double bytesEach() {
            return (double) allocatedBytes / turns.size() / CONNECTS;
        }
    }

    // A method for each API and each maker of sockets, so that the compiler sees them apart. They linger for no time,
    // so that no port stays taken.

    private static void channels(InetSocketAddress peer) throws IOException {
        for (int i = 0; i < CONNECTS; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.connect(peer);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
    }

    private static void channelsOfTheJdk(InetSocketAddress peer) throws IOException {
        for (int i = 0; i < CONNECTS; i++) {
            SocketChannel channel = JdkSockets.channel();
            channel.connect(peer);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
    }

    private static void sockets(InetSocketAddress peer) throws IOException {
        for (int i = 0; i < CONNECTS; i++) {
            Socket socket = new Socket();
            socket.connect(peer);
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    private static void socketsOfTheJdk(InetSocketAddress peer) throws IOException {
        for (int i = 0; i < CONNECTS; i++) {
            Socket socket = JdkSockets.socket();
            socket.connect(peer);
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
