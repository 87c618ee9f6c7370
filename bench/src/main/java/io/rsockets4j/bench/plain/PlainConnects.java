/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.plain;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what a connect to a peer without rsockets4j costs under the agent, against the JDK's own sockets in the same
 * JVM. Separate JVMs differ by more than is to be measured here, in how they were compiled and where memory lies.
 */
@Command(name = "./rsockets plain", mixinStandardHelpOptions = true, sortOptions = false,
        description = "What a connect to a peer without rsockets4j costs, by turns with the JDK's own sockets.")
public final class PlainConnects implements Callable<Integer> {
    private static final String AGENTS = "io.rsockets4j.";
    private static final double MICRO = 1e3;
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Option(names = "--blocks", defaultValue = "100", paramLabel = "N", description = "Turns of each kind (100).")
    private int blocks;

    @Option(names = "--connects", defaultValue = "500", paramLabel = "N", description = "Connects in a turn (500).")
    private int connects;

    @Option(names = "--warm-up", defaultValue = "60000", paramLabel = "N",
            description = "Connects of each kind before anything counts (60000).")
    private int warmUp;

    private PlainConnects() { }

    /**
     * Measures and prints.
     *
     * @param args {@code --help} lists them
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new PlainConnects()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        if (!SelectorProvider.provider().getClass().getName().startsWith(AGENTS)) {
            System.err.println("This JVM has no agent to measure: start it by ./rsockets plain");
            return 2;
        }
        if (blocks < 1 || connects < 1 || warmUp < 0) {
            System.err.println("--blocks and --connects take 1 or more, --warm-up 0 or more");
            return 2;
        }
        System.out.printf(Locale.ROOT, "%-9s%12s%12s%9s%9s%22s%n", "api", "JDK", "rsockets4j", "ratio", "median",
                "allocated");
        try (PlainServer server = PlainServer.start()) {
            measure("channel", server.address(), Connects::channelsOfTheJdk, Connects::channels);
            measure("socket", server.address(), Connects::socketsOfTheJdk, Connects::sockets);
        }
        System.out.printf(Locale.ROOT, "%nOpen, connect, set an option and close; %d turns of %d each. The ratio is of"
                + " all turns together,%nthe median of each turn and the one beside it. Asked: 1.05 at most.%n", blocks,
                connects);
        return 0;
    }

    private void measure(String api, InetSocketAddress peer, Connects.Loop jdks, Connects.Loop ours)
            throws IOException {
        for (int i = 0; i < warmUp; i += connects) {
            jdks.run(peer, connects);
            ours.run(peer, connects);
        }
        double[] theirMicros = new double[blocks];
        double[] ourMicros = new double[blocks];
        long[] allocated = new long[2];
        for (int i = 0; i < blocks; i++) {
            boolean oursFirst = i % 2 == 1;
            if (oursFirst) {
                ourMicros[i] = turn(ours, peer, allocated, 1);
            }
            theirMicros[i] = turn(jdks, peer, allocated, 0);
            if (!oursFirst) {
                ourMicros[i] = turn(ours, peer, allocated, 1);
            }
        }
        Turns turns = new Turns(theirMicros, ourMicros);
        long all = (long) blocks * connects;
        System.out.printf(Locale.ROOT, "%-9s%9.1f us%9.1f us%9.3f%9.3f%22s%n", api, turns.theirMedian(),
                turns.ourMedian(), turns.meanRatio(), turns.medianRatio(),
                allocated[0] / all + " B, " + allocated[1] / all + " B");
    }

    /** Microseconds for each connect. */
    private double turn(Connects.Loop loop, InetSocketAddress peer, long[] allocated, int kind) throws IOException {
        long bytes = THREAD.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        loop.run(peer, connects);
        double micros = (System.nanoTime() - start) / MICRO / connects;
        allocated[kind] += THREAD.getCurrentThreadAllocatedBytes() - bytes;
        return micros;
    }
}
