/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.containers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A program that knows nothing of rsockets4j, for {@code containers}: a server of one client, or that client, or a
 * guest, which is a client that stays. Each prints the address that the client has. Or an echo, which is a server of
 * many, and its sleeper: a client that goes on with each line of its input, while a thread of its own, and one of the
 * server, sleep in a read.
 */
public final class ContainerPeer {
    private static final int TIME_LIMIT_MILLIS = 20_000;
    private static final String SLEEPER = "sleeper"; // the name of a thread, by which the script finds it

    private ContainerPeer() {}

    /**
     * Serves, or is a client. Blocks until the other side is done; an {@code echo} ends when it is killed.
     *
     * @param args {@code server}, {@code client}, {@code guest}, {@code echo} or {@code sleeper}, address, port
     * @throws IOException if it cannot
     */
    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        if (args[0].equals("server")) {
            try (ServerSocket listener = new ServerSocket()) {
                listener.bind(address);
                listener.setSoTimeout(TIME_LIMIT_MILLIS);
                System.out.println("ready");
                try (Socket accepted = listener.accept()) {
                    System.out.println("client " + accepted.getInetAddress().getHostAddress());
                    accepted.setSoTimeout(TIME_LIMIT_MILLIS);
                    accepted.getOutputStream().write(accepted.getInputStream().read());
                    accepted.getInputStream().read();
                }
            }
        } else if (args[0].equals("echo")) {
            echo(address);
        } else if (args[0].equals(SLEEPER)) {
            sleep(address);
        } else {
            try (Socket socket = new Socket()) {
                socket.connect(address, TIME_LIMIT_MILLIS);
                System.out.println("client " + socket.getLocalAddress().getHostAddress());
                socket.setSoTimeout(TIME_LIMIT_MILLIS);
                socket.getOutputStream().write(1);
                System.out.println("read " + socket.getInputStream().read());
                if (args[0].equals("guest")) {
                    socket.getInputStream().read(); // until it is killed
                }
            }
        }
    }

    private static void echo(InetSocketAddress address) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(address);
            System.out.println("ready");
            while (!listener.isClosed()) {
                Socket accepted = listener.accept();
                new Thread(() -> echo(accepted), SLEEPER).start();
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            for (int value = socket.getInputStream().read(); value >= 0; value = socket.getInputStream().read()) {
                socket.getOutputStream().write(value);
            }
            System.out.println("ended");
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    private static void sleep(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.connect(address, TIME_LIMIT_MILLIS);
        new Thread(() -> print(socket), SLEEPER).start();
        socket.getOutputStream().write(1);
        System.in.read();
        socket.getOutputStream().write(2);
        System.in.read();
        try (Socket another = new Socket()) {
            another.connect(address, TIME_LIMIT_MILLIS);
            another.setSoTimeout(TIME_LIMIT_MILLIS);
            another.getOutputStream().write(1);
            System.out.println("another read " + another.getInputStream().read());
        }
        System.in.read();
        socket.close();
    }

    private static void print(Socket socket) {
        try {
            for (int value = socket.getInputStream().read(); value >= 0; value = socket.getInputStream().read()) {
                System.out.println("read " + value);
            }
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
