/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directory in which processes of one user find each other: {@code DIR/rsockets4j-UID}, mode 0700.
 *
 * <p>It holds, each named so that several network namespaces which share the directory are never confused:
 * <ul>
 * <li>{@code NETNS-PORT-ADDRESS.listen}: a text file that says which process listens there, by endpoint;
 * <li>{@code RANDOM.endpoint}: the Unix-domain socket of a listening process;
 * <li>{@code RANDOM.shared}: memory that two processes are about to map; unlinked as soon as both have;
 * <li>{@code RANDOM.bells}: the words on which threads of a process sleep, see {@link Bells};
 * <li>{@code RANDOM.draft}: a listener's text file before it has its name.
 * </ul>
 * Thread-safe; file operations only.
 */
final class Rendezvous {
    static final Pattern SHARED_NAME = Pattern.compile("[0-9a-f]{32}\\.shared");
    static final String BELLS = ".bells";
    static final Pattern BELLS_NAME = Pattern.compile("[0-9a-f]{32}\\.bells");
    private static final String VERSION = "1";
    private static final Pattern ENTRY =
            Pattern.compile("rsockets4j " + VERSION
                    + " ([0-9a-f]{32}\\.endpoint) (\\d{1,3}) (\\d{1,18})(?: (\\d{1,9}))?\n");
    private static final Pattern OTHER_VERSION = Pattern.compile("rsockets4j (\\d{1,9}) .*", Pattern.DOTALL);
    private static final int MAX_ENTRY_BYTES = 256;
    private static final long OLD_MILLIS = 60_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path directory;
    private final String namespace;
    private final Misses misses;

    private Rendezvous(Path directory, String namespace) {
        this.directory = directory;
        this.namespace = namespace;
        misses = new Misses(directory, System::nanoTime);
    }

    /** Opens the directory, making it if needed, and makes sure that no one else may enter it. */
    static Rendezvous open(String parent) throws IOException {
        return new Rendezvous(UserDirectory.open(parent), networkNamespace());
    }

    /** The inode of this process' network namespace. */
    private static String networkNamespace() throws IOException {
        String link = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString(); // "net:[4026531840]"
        return link.replaceAll("\\D", "");
    }

    long namespaceId() {
        return Long.parseLong(namespace);
    }

    /** A new path with an unguessable name. */
    Path newPath(String suffix) {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return directory.resolve(HexFormat.of().formatHex(bytes) + suffix);
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    /** Who listens at an address, and the SO_RCVBUF that it asked for, or 0. */
    record Entry(String endpoint, int listener, long generation, int receiveBytes) { }

    /** Says that this process listens; replaces what a dead process may have left. */
    Path publish(InetSocketAddress address, boolean ipv4Only, Entry entry) throws IOException {
        Path path = directory.resolve(listenName(address, ipv4Only));
        Path draft = newPath(".draft");
        try {
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, format(entry));
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Misses.directoryChanged();
            return path;
        } catch (IOException e) {
            MappedFile.unlink(draft);
            throw e;
        }
    }

    private static String format(Entry entry) {
        String receiveBytes = entry.receiveBytes() == 0 ? "" : " " + entry.receiveBytes();
        return String.join(" ", "rsockets4j", VERSION, entry.endpoint(), String.valueOf(entry.listener()),
                String.valueOf(entry.generation())) + receiveBytes + "\n";
    }

    /** Withdraws a listener, unless someone else has taken its place. */
    void withdraw(Path path, Entry entry) {
        try {
            if (entry.equals(read(path))) {
                MappedFile.unlink(path);
            }
        } catch (IOException e) {
            System.getLogger(Rendezvous.class.getName())
                    .log(System.Logger.Level.DEBUG, "no listener entry to withdraw at " + path, e);
        }
    }

    /**
     * Looks an address up, first by the address itself, then by wildcards. What was looked up in vain is not looked
     * up again before the directory changes, so that connects to plain TCP servers cost a look at its time stamp at
     * most.
     *
     * @return null when no one listens there
     * @throws IOException if an entry is not ours or makes no sense
     */
    Entry lookUp(InetSocketAddress remote) throws IOException {
        FileTime lastChange = misses.lastChange();
        if (misses.has(remote, lastChange)) {
            return null;
        }
        Entry entry = lookUpInDirectory(remote);
        if (entry == null) {
            misses.add(remote, lastChange);
        }
        return entry;
    }

    /** Whether {@link #lookUp} has found nobody at an address, and nothing has changed since. */
    boolean knowsNobodyAt(InetSocketAddress remote) {
        try {
            return misses.has(remote, misses.lastChange());
        } catch (IOException e) {
            return false; // looking it up tells why
        }
    }

    private Entry lookUpInDirectory(InetSocketAddress remote) throws IOException {
        Entry entry = readIfPresent(directory.resolve(name(remote.getPort(), hex(remote.getAddress()))));
        if (entry == null) {
            entry = readIfPresent(directory.resolve(name(remote.getPort(), "any")));
        }
        if (entry == null && remote.getAddress() instanceof Inet4Address) {
            entry = readIfPresent(directory.resolve(name(remote.getPort(), "any4")));
        }
        return entry;
    }

    private static Entry readIfPresent(Path path) throws IOException {
        return path.toFile().exists() ? read(path) : null; // File.exists makes no exception where nothing is
    }

    private static Entry read(Path path) throws IOException {
        try {
            Ownership.requireOwnFile(path);
            String text = readText(path);
            Matcher matcher = ENTRY.matcher(text);
            if (!matcher.matches() || Integer.parseInt(matcher.group(2)) >= SessionDescriptor.MAX_LISTENERS) {
                throw notAnEntry(path, text);
            }
            return new Entry(matcher.group(1), Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3)),
                    matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4)));
        } catch (NoSuchFileException | FileNotFoundException e) {
            return null;
        }
    }

    private static IOException notAnEntry(Path path, String text) {
        Matcher other = OTHER_VERSION.matcher(text);
        if (other.matches() && !other.group(1).equals(VERSION)) {
            return new PathException(Reason.VERSION, "the listener entry " + path + " has version " + other.group(1)
                    + ", this process knows version " + VERSION);
        }
        return new IOException(path + " is not a listener entry; remove it");
    }

    /** Reads a small file by a stream: an interrupted thread cannot read by a channel. */
    private static String readText(Path path) throws IOException {
        try (FileInputStream in = new FileInputStream(path.toFile())) {
            return new String(in.readNBytes(MAX_ENTRY_BYTES + 1), StandardCharsets.UTF_8);
        }
    }

    private String listenName(InetSocketAddress address, boolean ipv4Only) {
        String wildcard = ipv4Only ? "any4" : "any";
        InetAddress ip = address.getAddress();
        return name(address.getPort(), ip.isAnyLocalAddress() ? wildcard : hex(ip));
    }

    private String name(int port, String where) {
        return namespace + "-" + port + "-" + where + ".listen";
    }

    private static String hex(InetAddress address) {
        return HexFormat.of().formatHex(address.getAddress());
    }

    /** Removes what processes left that died: endpoints that refuse, and files that nobody has taken for a minute. */
    void sweep(String ownBells) {
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
            for (Path path : paths) {
                String name = path.getFileName().toString();
                if (name.endsWith(".endpoint") && isDead(path)) {
                    forget(name);
                } else if (name.endsWith(BELLS) && isOld(path) && !name.equals(ownBells) && Bells.isLeft(path)) {
                    MappedFile.unlink(path);
                } else if ((name.endsWith(".shared") || name.endsWith(".draft")) && isOld(path)) {
                    MappedFile.unlink(path);
                }
            }
        } catch (IOException e) {
            System.getLogger(Rendezvous.class.getName())
                    .log(System.Logger.Level.DEBUG, "cannot sweep " + directory, e);
        }
    }

    /** Whether nobody answers at an endpoint any more; not whether this process has a descriptor left to ask. */
    boolean isDead(Path endpoint) {
        try (SocketChannel probe = JdkChannels.connectUnixSocket(endpoint)) {
            return !probe.isConnected();
        } catch (ConnectException e) {
            return true; // refused: the file is there, the process is not
        } catch (IOException e) {
            return !Files.exists(endpoint, NOFOLLOW_LINKS);
        }
    }

    private static boolean isOld(Path path) throws IOException {
        long ageMillis = System.currentTimeMillis() - Files.getLastModifiedTime(path, NOFOLLOW_LINKS).toMillis();
        return ageMillis > OLD_MILLIS;
    }

    /** Removes every listener entry that names an endpoint whose process is dead, and the endpoint itself. */
    void forget(String endpoint) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*.listen")) {
            for (Path path : entries) {
                if (Files.isRegularFile(path, NOFOLLOW_LINKS) && Files.size(path) <= MAX_ENTRY_BYTES
                        && Files.readString(path).contains(endpoint)) {
                    MappedFile.unlink(path);
                }
            }
        } catch (IOException e) {
            System.getLogger(Rendezvous.class.getName())
                    .log(System.Logger.Level.DEBUG, "cannot clean up after " + endpoint, e);
        }
        MappedFile.unlink(directory.resolve(endpoint));
    }

    Path directory() {
        return directory;
    }
}
