/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the {@link Peer}s of a suite on another machine run on this one. Each connection is one process: the suite says
 * the command line, then signals; this side says what the process prints, and how it ended. It obeys whoever connects,
 * so it is for test machines that nobody else reaches.
 */
public final class PeerHost {
    /** What a command begins with that is no signal: the process's standard input ends. */
    static final String END_OF_INPUT = "";
    /** The kinds of frames from the host: bytes of the two outputs, and the exit code. */
    static final char OUT = 'o';
    static final char ERR = 'e';
    static final char EXIT = 'x';

    private static final int BUFFER_BYTES = 8192;

    private final Socket control;
    private final DataOutputStream events;

    private PeerHost(Socket control) throws IOException {
        this.control = control;
        events = new DataOutputStream(control.getOutputStream());
    }

    /**
     * Serves until it is killed.
     *
     * @param args the address and the port to listen on
     * @throws IOException when it cannot listen
     */
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[1]), 0, InetAddress.getByName(args[0]))) {
            for (;;) {
                PeerHost host = new PeerHost(server.accept());
                startThread("peer", host::serve);
            }
        }
    }

    private void serve() throws IOException {
        try (control) {
            DataInputStream commands = new DataInputStream(control.getInputStream());
            Process process = new ProcessBuilder(commandLine(commands)).start();
            startThread("commands", () -> obey(commands, process));
            Thread out = startThread("out", () -> forward(OUT, process.getInputStream()));
            Thread err = startThread("err", () -> forward(ERR, process.getErrorStream()));
            int code = process.waitFor();
            out.join();
            err.join();
            synchronized (events) {
                events.writeChar(EXIT);
                events.writeInt(code);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> commandLine(DataInputStream commands) throws IOException {
        List<String> line = new ArrayList<>();
        for (int left = Integer.parseInt(commands.readUTF()); left > 0; left--) {
            line.add(commands.readUTF());
        }
        return line;
    }

    /** Does as told; who goes away takes the process with it. */
    private static void obey(DataInputStream commands, Process process) {
        try {
            for (;;) {
                String command = commands.readUTF();
                if (command.equals(END_OF_INPUT)) {
                    process.getOutputStream().close();
                } else {
                    new ProcessBuilder("kill", "-" + command, Long.toString(process.pid())).inheritIO().start();
                }
            }
        } catch (IOException e) {
            process.destroyForcibly(); // the suite has gone, or the process had ended anyway
        }
    }

    private void forward(char kind, InputStream source) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
            synchronized (events) {
                events.writeChar(kind);
                events.writeInt(count);
                events.write(buffer, 0, count);
            }
        }
    }

    /** What a thread does. */
    private interface Body {
        void run() throws IOException;
    }

    private static Thread startThread(String name, Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException e) {
                System.err.println(Thread.currentThread().getName() + ": " + e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
