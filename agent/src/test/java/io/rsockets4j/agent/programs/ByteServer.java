/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints its port and echoes to all clients, each on a thread of its own, until its input ends. For each byte of input
 * it collects garbage, and prints how many bytes of the heap are left in use.
 *
 * <p>Argument: perhaps how many descriptors it may still have; it takes all others itself once it listens.
 */
public final class ByteServer {
    private static final int BACKLOG = 200;
    private static final int MANY = 100_000;

    private ByteServer() { }

    public static void main(String[] args) throws Exception {
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        List<Closeable> taken = args.length == 0 ? List.of() : takeAllBut(Integer.parseInt(args[0]));
        start(() -> accept(listener));
        System.out.println(listener.getLocalPort());
        for (int in = System.in.read(); in >= 0; in = System.in.read()) {
            System.gc();
            System.out.println(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        Reference.reachabilityFence(taken);
    }

    private static List<Closeable> takeAllBut(int left) throws IOException {
        List<Closeable> taken = new ArrayList<>();
        try {
            while (taken.size() < MANY) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (FileNotFoundException e) { // there are no more
            for (int i = 0; i < left; i++) {
                taken.remove(taken.size() - 1).close();
            }
            return taken;
        }
        throw new IllegalStateException("there is no limit");
    }

    private static void accept(ServerSocket listener) {
        try {
            while (true) {
                Socket socket = listener.accept();
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            System.out.flush(); // a client may end at any time; the test looks at what is left of it
        }
    }

    private static void start(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
    }
}
