/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** A server of a blocking API: one thread accepts; the connections have threads of their own, or take turns. */
final class BlockingServer implements Server {
    private final Closeable listener;
    private final int port;
    private final Acceptor acceptor;
    private final Supplier<ServerSession> sessions;
    private final Serving serving;
    private volatile boolean closed;

    /** Waits for a connection of a listener. */
    interface Acceptor {
        ClientLink accept() throws IOException;
    }

    BlockingServer(Closeable listener, int port, Acceptor acceptor, Supplier<ServerSession> sessions, Serving serving) {
        this.listener = listener;
        this.port = port;
        this.acceptor = acceptor;
        this.sessions = sessions;
        this.serving = serving;
        if (serving == Serving.ON_VIRTUAL_THREADS) {
            VirtualThreadStarter.start(this::accept);
        } else {
            start("accept", this::accept);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
    }

    private void accept() {
        try {
            while (true) {
                ClientLink link = acceptor.accept();
                switch (serving) {
                    case CONCURRENTLY -> start("serve", () -> serve(link));
                    case ON_VIRTUAL_THREADS -> VirtualThreadStarter.start(() -> serve(link));
                    case IN_TURN -> serve(link);
                }
            }
        } catch (IOException e) {
            report(e);
        }
    }

    private void serve(ClientLink link) {
        try (link) {
            ServerSession session = sessions.get();
            while (!session.isFinished() && link.read(session.target()) >= 0) {
                ByteBuffer reply = session.received();
                if (reply.hasRemaining()) {
                    link.write(reply);
                }
            }
        } catch (IOException e) {
            report(e);
        }
    }

    /** A failure after the server was closed is how its threads end; any other is shown with the peer's output. */
    private void report(IOException failure) {
        if (!closed) {
            System.err.println(Thread.currentThread().getName() + ": " + failure);
        }
    }

    static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
