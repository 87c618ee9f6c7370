/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process on the machine of a {@link PeerHost}, controlled over one plain TCP connection. When that connection ends,
 * the process counts as ended with {@link #LOST}: its machine is gone. Methods may be called from any thread.
 */
final class RemoteProcess extends Process {
    /** The exit code of a process whose machine does not answer any more. */
    static final int LOST = -1;

    private static final int CONNECT_MS = 20_000;

    private final Socket socket;
    private final DataOutputStream control;
    private final PipedOutputStream outFeed = new PipedOutputStream();
    private final PipedOutputStream errFeed = new PipedOutputStream();
    private final InputStream out = new PipedInputStream(outFeed);
    private final InputStream err = new PipedInputStream(errFeed);
    private final CompletableFuture<Process> exit = new CompletableFuture<>();
    private volatile int exitCode;

    private RemoteProcess(Socket socket) throws IOException {
        this.socket = socket;
        control = new DataOutputStream(socket.getOutputStream());
    }

    /**
     * Starts a process.
     *
     * @param host the address and port of a {@link PeerHost}, as {@code 192.0.2.1:7000}
     * @param commandLine the program and its arguments, as they are there
     * @return the started process
     * @throws IOException when the host cannot be reached
     */
    static RemoteProcess start(String host, List<String> commandLine) throws IOException {
        int colon = host.lastIndexOf(':');
        InetAddress address = InetAddress.getByName(host.substring(0, colon));
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(address, Integer.parseInt(host.substring(colon + 1))), CONNECT_MS);
        RemoteProcess process = new RemoteProcess(socket);
        process.send(Integer.toString(commandLine.size()));
        for (String argument : commandLine) {
            process.send(argument);
        }
        Thread thread = new Thread(process::receive, "remote-process");
        thread.setDaemon(true);
        thread.start();
        return process;
    }

    /** Sends a signal, named as {@code kill} knows it. */
    void signal(String name) throws IOException {
        send(name);
    }

    private synchronized void send(String text) throws IOException {
        control.writeUTF(text);
    }

    private void receive() {
        int code = LOST;
        try (outFeed; errFeed; socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (char kind = in.readChar(); kind != PeerHost.EXIT; kind = in.readChar()) {
                byte[] bytes = in.readNBytes(in.readInt());
                PipedOutputStream feed = kind == PeerHost.OUT ? outFeed : errFeed;
                feed.write(bytes);
                feed.flush();
            }
            code = in.readInt();
        } catch (IOException e) {
            code = LOST;
        } finally {
            exitCode = code;
            exit.complete(this);
        }
    }

    @Override
    public InputStream getInputStream() {
        return out;
    }

    @Override
    public InputStream getErrorStream() {
        return err;
    }

    /** @return a stream that can only be closed, which ends the process's standard input */
    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("a peer reads nothing");
            }

            @Override
            public void close() throws IOException {
                if (!exit.isDone()) {
                    send(PeerHost.END_OF_INPUT);
                }
            }
        };
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            exit.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return exitCode;
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            exit.get(timeout, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int exitValue() {
        if (!exit.isDone()) {
            throw new IllegalThreadStateException("still runs");
        }
        return exitCode;
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return exit.copy();
    }

    @Override
    public void destroy() {
        try {
            signal("KILL");
        } catch (IOException e) {
            exit.complete(this); // its machine is gone, or it has just ended
        }
    }
}
