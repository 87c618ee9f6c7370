/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

import static java.lang.System.Logger.Level.DEBUG;

import io.rsockets4j.core.host.StatNames;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.UserDirectory;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Tells whoever connects of this process' connections and sessions: a daemon thread that sleeps until someone asks.
 * Only this process' user can ask, since the socket is in that user's directory. The data path has no part in it.
 */
public final class StatServer implements Runnable {
    private static final Log LOG = Log.of(StatServer.class);
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
    private static final int MAX_WRITE_MILLIS = 2000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Nobody asks a program that has just begun, which has better to do. */
    private static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final String parent;
    private final Supplier<String> served;
    private final Supplier<List<ConnectionSnapshot>> connections;
    private final Supplier<List<SessionSnapshot>> sessions;
    private volatile ServerSocketChannel listener; // written by the serving thread
    private volatile File socket; // what others look for; written by the serving thread
    private volatile boolean ended; // written at exit

    private StatServer(String parent, Supplier<String> served, Supplier<List<ConnectionSnapshot>> connections,
            Supplier<List<SessionSnapshot>> sessions) {
        this.parent = parent;
        this.served = served;
        this.connections = connections;
        this.sessions = sessions;
    }

    /**
     * Begins to serve in a moment, on a thread of its own; does not wait for it. Where that is not possible there is a
     * line in the log at level DEBUG, and no harm.
     *
     * @param parent the setting {@code shm.dir}
     * @param served by what, as {@link ProcessSnapshot#served} has it; called by the thread, once for each who asks
     * @param connections the live connections; called in the same way
     * @param sessions those over RDMA, the oldest first; called in the same way
     */
    public static void start(String parent, Supplier<String> served, Supplier<List<ConnectionSnapshot>> connections,
            Supplier<List<SessionSnapshot>> sessions) {
        OwnThreads.daemon("rsockets4j-stat", new StatServer(parent, served, connections, sessions)).start();
    }

    /** Serves until the process ends; for the thread of {@link #start}. */
    @Override
    public void run() {
        LockSupport.parkNanos(BEGIN_NANOS);
        try {
            Path directory = UserDirectory.open(parent);
            OwnThreads.atExit("rsockets4j-stat-end", new End(this));
            while (!ended) {
                serve(directory.resolve(StatNames.create()));
            }
        } catch (ClosedChannelException e) {
            return; // the process ends
        } catch (IOException | RuntimeException e) {
            LOG.log(DEBUG, "rsockets4j: this process cannot be seen by 'stat': " + e.getMessage());
        }
    }

    private record End(StatServer server) implements Runnable {
        @Override
        public void run() {
            server.end();
        }
    }

    /**
     * Serves until an interrupt or the process' end closes the listener. Each listener has a name of its own: whoever
     * is refused by one that has just closed removes its file, and must not remove that of the next.
     */
    private void serve(Path path) throws IOException {
        socket = path.toFile();
        try (ServerSocketChannel channel = UnixSockets.openServer()) {
            UnixSockets.show(channel, path, path.resolveSibling(path.getFileName() + StatNames.DRAFT), 0);
            sweep(path.getParent());
            listener = channel; // volatile store before the look at ended: pairs with end
            while (channel.isOpen() && !ended) {
                answer(channel);
            }
        } finally {
            remove(socket);
        }
    }

    /** Nothing that goes wrong for one who asks is the business of the next one. */
    private void answer(ServerSocketChannel channel) {
        try {
            tell(channel.accept());
        } catch (ClosedChannelException e) {
            Thread.interrupted(); // by an interrupt, whoever did that, or as the process ends
        } catch (IOException e) {
            LOG.log(DEBUG, "rsockets4j: 'stat' is not answered for a moment: " + e.getMessage()); // no descriptor
            LockSupport.parkNanos(PAUSE_NANOS);
        } catch (Throwable e) {
            OwnThreads.goOnAfter(LOG, "rsockets4j: 'stat' could not be answered", e);
        }
    }

    /**
     * At the end of the process, which would wait for a thread in native code. What is left behind the next process
     * removes.
     */
    private void end() {
        ended = true;
        ServerSocketChannel open = listener;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            LOG.log(DEBUG, "rsockets4j: the listener for 'stat' does not close: " + e.getMessage());
        }
        File shown = socket;
        if (shown != null) {
            remove(shown);
        }
    }

    private static void remove(File socket) {
        try {
            if (!socket.delete() && socket.exists()) {
                LOG.log(DEBUG, "rsockets4j: " + socket + " is left behind");
            }
        } catch (SecurityException e) { // by a manager of the program's
            LOG.log(DEBUG, "rsockets4j: " + socket + " is left behind: " + e.getMessage());
        }
    }

    /** Removes the sockets of processes that were killed. Those that run here are not asked: answers cost them. */
    private static void sweep(Path directory) throws IOException {
        for (String name : UserDirectory.names(directory)) {
            Path left = directory.resolve(name);
            if (StatNames.isLeft(left) && Files.deleteIfExists(left)) {
                LOG.log(DEBUG, "rsockets4j: removed " + name + ", whose process has ended");
            }
        }
    }

    private void tell(SocketChannel client) {
        try (client) {
            write(client, ByteBuffer.wrap(snapshot().encode().getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            LOG.log(DEBUG, "rsockets4j: whoever asked for connections is gone: " + e.getMessage());
        }
    }

    /** Gives up on a reader that takes nothing for a while, as a stopped one does: others want to ask too. */
    private static void write(SocketChannel client, ByteBuffer text) throws IOException {
        client.configureBlocking(false);
        try (Selector selector = client.provider().openSelector()) {
            client.register(selector, SelectionKey.OP_WRITE);
            while (text.hasRemaining() && selector.select(MAX_WRITE_MILLIS) > 0) {
                selector.selectedKeys().clear();
                client.write(text);
            }
        }
    }

    private ProcessSnapshot snapshot() {
        List<ConnectionSnapshot> sorted = connections.get().stream()
                .sorted(Comparator.comparingLong(ConnectionSnapshot::id)).toList();
        return new ProcessSnapshot(ProcessHandle.current().pid(), program(), host(), served.get(), sorted,
                sessions.get());
    }

    /** The name of the host, with the number of its namespace in a container, which has process numbers of its own. */
    private static String host() {
        try {
            return Files.readString(HOST).strip() + StatNames.namespaceTag();
        } catch (IOException e) {
            LOG.log(DEBUG, "the name of this host is not known", e);
            return "";
        }
    }

    /** The main class or jar without arguments, which may hold secrets. */
    private static String program() {
        String command = System.getProperty("sun.java.command", "").split(" ", 2)[0];
        return command.isBlank() ? "java" : command.substring(command.lastIndexOf('/') + 1);
    }
}
