/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * The Unix-domain socket by which other processes reach the listeners of this one. Made when the process first listens;
 * goes with the process. Service thread, except {@link #run}.
 */
final class Endpoint implements ServiceThread.Handler, Runnable {
    private static final Log LOG = Log.of(Endpoint.class);
    private static final int BACKLOG = 1024;
    private static final long RETRY_NANOS = 1_000_000_000L;
    private static final long FULL_NANOS = 10_000_000;

    private final ShmContext context;
    private final Path path;
    private final ServerSocketChannel server;
    private final Listeners listeners;
    private final Handshakes handshakes;

    private Endpoint(ShmContext context, Path path, ServerSocketChannel server) throws IOException {
        this.context = context;
        this.path = path;
        this.server = server;
        this.listeners = new Listeners(context, path.getFileName().toString());
        this.handshakes = new Handshakes(context, listeners);
    }

    /** What {@link #open} is for the service thread. */
    record Opening(ShmContext context) implements Callable<Listeners> {
        @Override
        public Listeners call() throws IOException {
            return open(context);
        }
    }

    /** Opens the endpoint, for listeners to come. Service thread. */
    private static Listeners open(ShmContext context) throws IOException {
        Path path = context.rendezvous().newPath(Rendezvous.ENDPOINT);
        ServerSocketChannel server = UnixSockets.openServer();
        try {
            context.rendezvous().sweep(context.bells().name());
            UnixSockets.show(server, path, context.rendezvous().newPath(Rendezvous.DRAFT), BACKLOG);
            server.configureBlocking(false);
            Endpoint endpoint = new Endpoint(context, path, server);
            context.service().register(server, SelectionKey.OP_ACCEPT, endpoint);
            OwnThreads.atExit("rsockets4j-cleanup", endpoint);
            return endpoint.listeners;
        } catch (IOException | IllegalStateException e) { // the latter as the process ends
            server.close();
            MappedFile.unlink(path);
            throw e;
        }
    }

    @Override
    public void ready() {
        try {
            while (handshakes.hasRoom()) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                handshakes.begin(channel);
            }
            context.service().pause(server, FULL_NANOS); // others wait where the kernel holds them
        } catch (IOException e) { // too many open files, most likely: peers wait or go by TCP
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: no new process can connect over shm for a while: " + e);
            context.service().pause(server, RETRY_NANOS);
        }
    }

    @Override
    public void failed(IOException cause) {
        throw new AssertionError("ready handles its exceptions", cause);
    }

    /** At exit: removes what this process has put into the directory. */
    @Override
    public void run() {
        listeners.withdraw();
        MappedFile.unlink(path);
    }
}
