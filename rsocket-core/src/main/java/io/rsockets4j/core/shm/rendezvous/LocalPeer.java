/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.rendezvous;

import io.rsockets4j.core.host.TcpTable;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds out who listens at an address of this host, and why that process does not offer shared memory: by the kernel's
 * tables of sockets, and by what {@code /proc} shows of the process. Stateless; reads files for up to some tenths of a
 * second, so it is for a thread that has time. The answer may be out of date at once: it is for people to read, and
 * decides nothing.
 */
public final class LocalPeer {
    private static final Log LOG = Log.of(LocalPeer.class);
    private static final int MAX_ROWS = 20_000;
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Path proc;
    private final Path directory; // in which this user's processes meet
    private final String namespace;
    private final int user;

    /**
     * Creates an inspector.
     *
     * @param proc where the kernel tells of processes
     * @param directory the user's directory
     * @param namespace of the network, as in names of listener entries
     * @param user whose processes can be looked at
     */
    public LocalPeer(Path proc, Path directory, String namespace, int user) {
        this.proc = proc;
        this.directory = directory;
        this.namespace = namespace;
        this.user = user;
    }

    /**
     * Looks who listens at an address of this host.
     *
     * @param address where a connect found nobody of ours
     * @return what stands between, or null where nothing is known, nobody listens, or all should be well
     */
    public PathException inspect(InetSocketAddress address) {
        List<TcpTable.Row> listeners = TcpTable.read(proc.resolve("self/net").toString(), MAX_ROWS,
                row -> row.state() == TcpTable.LISTEN && row.port() == address.getPort() && row.inode() != 0);
        for (TcpTable.Row listener : listeners) {
            if (listener.isAt(address.getAddress())) {
                return listener.user() == user ? inspectOwn(listener.inode()) : inspectOther(listener.user());
            }
        }
        return inspectOtherNamespaces(address.getPort(), "");
    }

    private PathException inspectOther(int other) {
        Path parent = directory.getParent();
        boolean known = parent != null && parent.resolve("rsockets4j-" + other).toFile().exists();
        return new PathException(known ? Reason.OTHER_USER : Reason.STRANGER,
                "user number " + other + " listens there, and this process runs as " + user);
    }

    /**
     * Looks who listens at an address that is none of this network namespace's.
     *
     * @param address where a connect found nobody of ours
     * @return what stands between: another namespace of this host, as far as the directory shows, or another host
     */
    public PathException inspectElsewhere(InetSocketAddress address) {
        if (Files.exists(directory.resolve(Rendezvous.acrossName(address.getPort(), address.getAddress())))) {
            return new PathException(Reason.OTHER_NAMESPACE,
                    "a process of another network namespace listens at " + address);
        }
        PathException near = inspectOtherNamespaces(address.getPort(), Rendezvous.hex(address.getAddress()));
        return near != null ? near : new PathException(Reason.OTHER_HOST, address + " is no address of this host");
    }

    /** Who has published a listener of that port, at an address or, where that is empty, at any. */
    private PathException inspectOtherNamespaces(int port, String where) {
        String[] names = directory.toFile().list();
        for (String name : names == null ? new String[0] : names) {
            int dash = name.indexOf('-');
            if (name.endsWith(Rendezvous.LISTEN) && name.startsWith("-" + port + "-" + where, dash)
                    && Character.isDigit(name.charAt(0)) && !name.startsWith(namespace + "-")) {
                return new PathException(Reason.OTHER_NAMESPACE, "a process of network namespace "
                        + name.substring(0, dash) + " listens at port " + port + ", this one is in " + namespace);
            }
        }
        return null;
    }

    private PathException inspectOwn(long inode) {
        File process = holder("socket:[" + inode + "]");
        if (process == null) {
            return null; // of a container that hides its processes, or gone
        }
        String who = "process " + process.getName();
        try {
            String bells = null;
            boolean java = false;
            try (BufferedReader maps = new BufferedReader(
                    new FileReader(new File(process, "maps"), StandardCharsets.UTF_8))) {
                for (String line = maps.readLine(); line != null && bells == null; line = maps.readLine()) {
                    java |= line.endsWith("/libjvm.so");
                    bells = line.endsWith(Rendezvous.BELLS) && line.contains("/rsockets4j-") ? path(line) : null;
                }
            }
            if (bells == null) {
                return java ? new PathException(Reason.WITHOUT_AGENT, who + " listens there, a JVM without rsockets4j")
                        : new PathException(Reason.STRANGER, who + " listens there, which is no JVM");
            }
            return inspectBells(who, Path.of(bells));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot look at " + who, e);
            return null;
        }
    }

    /** Its own file in this directory says that both meet here; the same name elsewhere, that they do not. */
    private PathException inspectBells(String who, Path bells) {
        if (Files.exists(directory.resolve(bells.getFileName()), LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        return new PathException(Reason.OTHER_DIRECTORY, who + " listens there and has rsockets4j, but its directory"
                + " is " + bells.getParent() + ", and that of this process " + directory
                + (directory.equals(bells.getParent()) ? " of another mount" : ""));
    }

    /** What a line of {@code maps} names: behind five columns. */
    private static String path(String line) {
        return line.substring(line.indexOf('/'));
    }

    /** The process of this user that has a socket open; null if none is found in time. */
    private File holder(String socket) {
        File[] processes = proc.toFile().listFiles();
        long end = System.nanoTime() + MAX_NANOS;
        for (File process : processes == null ? new File[0] : processes) {
            if (System.nanoTime() - end > 0) {
                return null;
            }
            if (Character.isDigit(process.getName().charAt(0)) && holds(process, socket)) {
                return process;
            }
        }
        return null;
    }

    private static boolean holds(File process, String socket) {
        String[] descriptors = new File(process, "fd").list(); // null: another user's
        for (String descriptor : descriptors == null ? new String[0] : descriptors) {
            try {
                if (Files.readSymbolicLink(process.toPath().resolve("fd").resolve(descriptor)).toString()
                        .equals(socket)) {
                    return true;
                }
            } catch (IOException e) {
                continue; // closed meanwhile
            }
        }
        return false;
    }
}
