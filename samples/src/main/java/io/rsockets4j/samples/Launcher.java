/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** The command line that the samples share: picks a role and plays it. */
final class Launcher {

    private static final String USAGE = "usage: [server [PORT] | client [HOST:]PORT [TEXT...]]";
    private static final String[] GREETINGS = {"hello", "how are you?", "bye"};

    private Launcher() {}

    /**
     * Runs a sample; an error ends the JVM with status 1, a mistaken command line with status 2.
     *
     * @param sample the program
     * @param args its command line; empty to run server and client in this JVM
     */
    static void run(Sample sample, String... args) {
        try {
            play(sample, args);
        } catch (IllegalArgumentException e) {
            exit(2, e.getMessage() + System.lineSeparator() + USAGE);
        } catch (Exception e) {
            exit(1, e.toString());
        }
    }

    private static void play(Sample sample, String... args) throws Exception {
        if (args.length == 0) {
            try (RunningServer server = sample.serve(0)) {
                call(sample, new InetSocketAddress("127.0.0.1", server.port()), GREETINGS);
            }
        } else if (args[0].equals("server") && args.length <= 2) {
            serveUntilStopped(sample, args.length == 2 ? port(args[1]) : 0);
        } else if (args[0].equals("client") && args.length >= 2) {
            call(sample, address(args[1]), args.length == 2 ? GREETINGS : Arrays.copyOfRange(args, 2, args.length));
        } else {
            throw new IllegalArgumentException("unknown role or missing port: " + String.join(" ", args));
        }
    }

    private static void serveUntilStopped(Sample sample, int port) throws Exception {
        RunningServer server = sample.serve(port);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server, stopped), "stop"));
        System.out.println("listening on port " + server.port() + ", Ctrl-C stops");
        stopped.await();
    }

    private static void close(RunningServer server, CountDownLatch stopped) {
        try {
            server.close();
            System.out.println("stopped");
        } catch (IOException e) {
            System.err.println("stopping: " + e);
        } finally {
            stopped.countDown();
        }
    }

    private static void call(Sample sample, InetSocketAddress server, String... messages) throws Exception {
        String[] echoes = sample.call(server, messages);
        for (int i = 0; i < messages.length; i++) {
            if (!messages[i].equals(echoes[i])) {
                throw new IllegalStateException("sent \"" + messages[i] + "\", got back \"" + echoes[i] + '"');
            }
            System.out.println("echo: " + echoes[i]);
        }
    }

    /**
     * Reads an address.
     *
     * @param text {@code PORT} or {@code HOST:PORT}
     * @return the address, on the loopback interface if no host is named
     */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
        return new InetSocketAddress(host, port(text.substring(colon + 1)));
    }

    private static int port(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > 65_535) {
            throw new IllegalArgumentException("not a port: " + text);
        }
        return Integer.parseInt(text);
    }

    private static void exit(int status, String message) {
        System.err.println(message);
        System.exit(status);
    }
}
