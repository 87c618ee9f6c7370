/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures by two processes, of which this one starts the other with the same options, such as the agent's. A kind of
 * transport is {@code block}, socket channels that block, or {@code spin}, socket channels that do not.
 */
public final class Figures {
    /** The last argument of the process that serves. */
    private static final String SERVE = "serve";

    private Figures() {}

    /** A program that is measured: one of it serves, the other one measures. */
    interface Side {
        /** Prints a line as soon as it listens. Ends when it is killed, or when the other one has gone. */
        void serve() throws Throwable;

        /** Prints the figures. */
        void measure() throws Throwable;
    }

    /**
     * Measures.
     *
     * @param args {@code trips ADDRESS PORT SECONDS KIND...}, {@code stream ADDRESS PORT SECONDS} or {@code beside
     *     ADDRESS PORT SECONDS}, where the seconds are how long it warms up, or {@code setup ADDRESS PORT COUNT KIND},
     *     which warms up by so many connects
     * @throws Throwable if anything goes wrong
     */
    public static void main(String[] args) throws Throwable {
        run(Figures.class, Map.of(), args);
    }

    /** Measures, with more kinds of transports, against a second process of a program; or serves, in that process. */
    static void run(Class<?> program, Map<String, Transport> others, String... args) throws Throwable {
        Map<String, Transport> transports = new HashMap<>(others);
        transports.put("block", new ChannelTransport(true));
        transports.put("spin", new ChannelTransport(false));
        boolean serves = args[args.length - 1].equals(SERVE);
        Side side = side(transports, Arrays.copyOf(args, serves ? args.length - 1 : args.length));
        if (serves) {
            side.serve();
            return;
        }
        Process server = startServer(program, args);
        try {
            side.measure();
        } finally {
            server.destroy();
        }
    }

    private static Side side(Map<String, Transport> transports, String... args) {
        InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        int warmUp = Integer.parseInt(args[3]);
        List<String> kinds = List.of(args).subList(4, args.length);
        return switch (args[0]) {
            case "trips" -> new RoundTrips(address, warmUp, kinds.stream().map(transports::get).toList());
            case "stream" -> new StreamTurns(address, warmUp);
            case "beside" -> new TripsBesideStream(address, warmUp);
            case "setup" -> new SetUps(address, warmUp, kinds.get(0), transports.get(kinds.get(0)));
            default -> throw new IllegalArgumentException(args[0]);
        };
    }

    private static Process startServer(Class<?> program, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(args));
        command.add(SERVE);
        Process server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        if (server.inputReader().readLine() == null) {
            throw new IllegalStateException("the server does not listen");
        }
        return server;
    }

    /** What is measured once. */
    interface Turn {
        /** Returns the figures. */
        String measure() throws Throwable;
    }

    /**
     * Measures in vain until everything is compiled, and says that it is warm; then once for each line of the input, so
     * that it can be done by turns with other programs. Prints a line for each.
     */
    static void byTurns(int warmUpSeconds, Turn turn) throws Throwable {
        for (long until = System.nanoTime() + warmUpSeconds * 1_000_000_000L; System.nanoTime() - until < 0;) {
            turn.measure();
        }
        System.out.println("warm");
        BufferedReader turns = new BufferedReader(new InputStreamReader(System.in));
        while (turns.readLine() != null) {
            System.out.println(turn.measure());
        }
    }

    /** Prints the median, as the script figures prints its own. */
    static void print(String title, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf("figure: %-40s %10.2f us   p50 of %d%n", title, nanos[nanos.length / 2] / 1e3, nanos.length);
    }
}
