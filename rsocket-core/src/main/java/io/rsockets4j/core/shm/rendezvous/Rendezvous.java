/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.rendezvous;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.host.HostAddresses;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.Ownership;
import io.rsockets4j.core.host.StatNames;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.UserDirectory;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.thread.NanoTime;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjLongConsumer;

/**
 * The directory in which processes of one user find each other: {@code DIR/rsockets4j-UID}, mode 0700.
 *
 * <p>It holds the following; names tell apart the network namespaces that share the directory:
 * <ul>
 * <li>{@code NETNS-PORT-ADDRESS.listen}: a text file that says which process listens there, by endpoint;
 * <li>{@code across-PORT-ADDRESS.listen}: the same for processes of other network namespaces, where that is wanted;
 * <li>{@code RANDOM.endpoint}: the Unix-domain socket of a listening process, there once it listens;
 * <li>{@code RANDOM.shared}: memory that two processes are about to map; unlinked as soon as both have;
 * <li>{@code RANDOM.bells}: the words on which threads of a process sleep, see {@link BellsFile};
 * <li>{@code RANDOM-NUMBER.memory}: what the process of those bells lends to its peers;
 * <li>{@code RANDOM.draft}: a file or a socket before it has its name.
 * </ul>
 * Thread-safe; file operations only.
 */
public final class Rendezvous {
    /** How names end of memory that two processes are about to map. */
    public static final String SHARED = ".shared";
    /** How names end of the files of bells. */
    public static final String BELLS = ".bells";
    /** How names end of what a process lends to its peers. */
    private static final String MEMORY = ".memory";
    /** How names end of what has no name yet. */
    public static final String DRAFT = StatNames.DRAFT;
    private static final Log LOG = Log.of(Rendezvous.class);
    /** How names end of the sockets of processes that listen. */
    public static final String ENDPOINT = ".endpoint";
    static final String LISTEN = ".listen";
    private static final String ACROSS = "across-";
    private static final String PROGRAM = "rsockets4j";
    private static final String VERSION = "1";
    private static final int NAME_BYTES = 16;
    private static final int MAX_ENTRY_BYTES = 256;
    private static final long OLD_MILLIS = 60_000;
    private static final long DEATH_NANOS = 1_000_000_000L; // a process that ends closes its files one by one
    private static final int MAX_DIGITS = 18;

    private final Path directory;
    private final String namespace;
    private final boolean across;
    private final HostAddresses addresses = new HostAddresses();
    private final NegativeCache negative;
    private final AtomicBoolean sweepDue = new AtomicBoolean();

    private Rendezvous(Path directory, String namespace, boolean across) {
        this.across = across;
        this.directory = directory;
        this.namespace = namespace;
        negative = new NegativeCache(directory, new NanoTime());
    }

    /**
     * Opens the directory, making it if needed, and makes sure that no one else may enter it.
     *
     * @param parent the setting {@code shm.dir}
     * @param across whether listeners are found from other network namespaces, and looked for in them
     * @return ready
     * @throws IOException if it cannot be used; the message says what to do
     */
    public static Rendezvous open(String parent, boolean across) throws IOException {
        Path directory = UserDirectory.open(parent);
        int excess = UserDirectory.excess(directory);
        if (excess > 0) {
            throw new IOException("shm.dir is too long by " + excess + " bytes: sockets in " + directory
                    + " need names of 107 bytes at most");
        }
        return new Rendezvous(directory, networkNamespace(), across);
    }

    /** The inode of this process' network namespace. */
    private static String networkNamespace() throws IOException {
        String link = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString(); // "net:[4026531840]"
        return link.substring(link.indexOf('[') + 1, link.indexOf(']'));
    }

    /**
     * Whether processes of other network namespaces are met here too.
     *
     * @return as it was opened
     */
    public boolean isAcross() {
        return across;
    }

    /**
     * The network namespace of this process.
     *
     * @return its inode
     */
    public long namespaceId() {
        return Long.parseLong(namespace);
    }

    /**
     * A new path with an unguessable name: of the kernel's random bytes, as a SecureRandom takes long to start.
     *
     * @param suffix how the name ends
     * @return of no file yet
     * @throws IOException if there is no descriptor left
     */
    public Path newPath(String suffix) throws IOException {
        try (FileInputStream random = new FileInputStream("/dev/urandom")) {
            return directory.resolve(HexFormat.of().formatHex(random.readNBytes(NAME_BYTES)) + suffix);
        }
    }

    /**
     * Whether a name is one that {@link #newPath} makes: nothing else that a peer says is opened.
     *
     * @param name what a peer says
     * @param suffix how it is to end
     * @return false for all other names
     */
    public static boolean isName(String name, String suffix) {
        int digits = 2 * NAME_BYTES;
        if (name.length() != digits + suffix.length() || !name.endsWith(suffix)) {
            return false;
        }
        for (int i = 0; i < digits; i++) {
            char c = name.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    /**
     * Where memory is that a process lends.
     *
     * @param bells the name of that process' bells
     * @param number which of its memories
     * @return its path
     */
    public Path memoryPath(String bells, int number) {
        return directory.resolve(bells.substring(0, 2 * NAME_BYTES) + '-' + number + MEMORY);
    }

    /**
     * Where a file of the directory is.
     *
     * @param name see {@link #isName}
     * @return its path
     */
    public Path path(String name) {
        return directory.resolve(name);
    }

    /**
     * Who listens at an address, and the SO_RCVBUF that it asked for, or 0; and the network namespace where that is
     * another one, or 0. Compared by code of its own: the first record that is compared by the JDK's costs a process
     * 30 ms. The namespace says nothing that the rest does not.
     *
     * @param endpoint the name of its process' socket
     * @param listener its index there
     * @param generation which listener at that index
     * @param receiveBytes SO_RCVBUF, or 0
     * @param namespace inode, or 0
     */
    public record Entry(String endpoint, int listener, long generation, int receiveBytes, long namespace) {
        /**
         * Creates an entry for the own network namespace.
         *
         * @param endpoint as above
         * @param listener as above
         * @param generation as above
         * @param receiveBytes as above
         */
        public Entry(String endpoint, int listener, long generation, int receiveBytes) {
            this(endpoint, listener, generation, receiveBytes, 0);
        }

        /**
         * Whether it was found by an address of another network namespace.
         *
         * @return true if so
         */
        public boolean isAcross() {
            return namespace != 0;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Entry entry && entry.endpoint.equals(endpoint) && entry.listener == listener
                    && entry.generation == generation && entry.receiveBytes == receiveBytes;
        }

        @Override
        public int hashCode() {
            return endpoint.hashCode() + 31 * listener + Long.hashCode(generation);
        }
    }

    /**
     * Says to other network namespaces that this process listens, or is about to, if it is to be found from there.
     *
     * @param address the listener's
     * @param ipv4Only whether a wildcard means IPv4 alone
     * @param entry what to say
     * @return what was written, to be added to; an address that a living process has there too is left to that one
     * @throws IOException if a file cannot be made; then none is left
     */
    public List<Path> publishAcross(InetSocketAddress address, boolean ipv4Only, Entry entry) throws IOException {
        List<Path> published = new ArrayList<>();
        if (across) {
            Entry there = new Entry(entry.endpoint(), entry.listener(), entry.generation(), entry.receiveBytes(),
                    namespaceId());
            for (InetAddress own : HostAddresses.routable(address.getAddress(), ipv4Only)) {
                Path path = directory.resolve(acrossName(address.getPort(), own));
                if (linkOrTakeBack(path, there, published)) {
                    published.add(path);
                } else {
                    LOG.log(System.Logger.Level.WARNING, "rsockets4j: not found from other network namespaces at " + own
                            + " port " + address.getPort() + ": another process listens there, too, as " + path
                            + " says");
                }
            }
        }
        return published;
    }

    private boolean linkOrTakeBack(Path path, Entry entry, List<Path> published) throws IOException {
        try {
            return link(path, entry);
        } catch (IOException e) {
            for (Path before : published) {
                withdraw(before, entry);
            }
            throw e;
        }
    }

    /**
     * Says that this process listens, or is about to.
     *
     * @param address the listener's
     * @param ipv4Only whether a wildcard means IPv4 alone
     * @param entry what to say
     * @param listening whether it does: then this replaces what a dead process may have left. Who is about to may yet
     *     find that somebody else was faster, and must not have taken that one's entry away
     * @return null where there is an entry that it must not replace
     * @throws IOException if a file cannot be made
     */
    public Path publish(InetSocketAddress address, boolean ipv4Only, Entry entry, boolean listening)
            throws IOException {
        Path path = directory.resolve(listenName(address, ipv4Only));
        if (!listening) {
            return link(path, entry) ? path : null;
        }
        Path draft = newPath(DRAFT);
        try {
            write(draft, entry);
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            NegativeCache.directoryChanged();
            return path;
        } catch (IOException e) {
            MappedFile.unlink(draft);
            throw e;
        }
    }

    /** Publishes an entry; false where a living process has one of that name. */
    private boolean link(Path path, Entry entry) throws IOException {
        if (isTaken(path)) {
            return false;
        }
        Path draft = newPath(DRAFT);
        try {
            write(draft, entry);
            Files.createLink(path, draft);
            NegativeCache.directoryChanged();
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            MappedFile.unlink(draft);
        }
    }

    private static void write(Path draft, Entry entry) throws IOException {
        Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(draft, format(entry));
    }

    /** Whether there is an entry of a process that lives, or one that makes no sense. */
    private boolean isTaken(Path path) throws IOException {
        Entry entry = readIfPresent(path);
        if (entry == null) {
            return false;
        }
        return !forgetIfDead(entry.endpoint());
    }

    /** The next look-up looks at the directory, however lately one did. */
    public void invalidateNegatives() {
        negative.invalidate();
    }

    private static String format(Entry entry) {
        String receiveBytes = entry.receiveBytes() == 0 && !entry.isAcross() ? "" : " " + entry.receiveBytes();
        String namespace = entry.isAcross() ? " " + entry.namespace() : "";
        return String.join(" ", PROGRAM, VERSION, entry.endpoint(), String.valueOf(entry.listener()),
                String.valueOf(entry.generation())) + receiveBytes + namespace + "\n";
    }

    /**
     * Withdraws a listener, unless someone else has taken its place.
     *
     * @param path what {@link #publish} returned
     * @param entry what it was given
     */
    public void withdraw(Path path, Entry entry) {
        try {
            if (entry.equals(read(path))) {
                MappedFile.unlink(path);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no listener entry to withdraw at " + path, e);
        }
    }

    /**
     * Looks an address up, first by the address itself, then by wildcards. What was looked up in vain is not looked
     * up again before the directory changes, so that connects to plain TCP servers cost a look at its time stamp at
     * most.
     *
     * @param remote not a wildcard
     * @return null when no one listens there
     * @throws IOException if an entry is not ours or makes no sense
     */
    public Entry lookUp(InetSocketAddress remote) throws IOException {
        FileTime lastChange = negative.lastChange();
        if (negative.has(remote, lastChange)) {
            return null;
        }
        Entry entry = lookUpInDirectory(remote);
        if (entry == null) {
            negative.add(remote, lastChange);
        }
        return entry;
    }

    /**
     * Whether {@link #lookUp} has found nobody at an address, and nothing has changed since.
     *
     * @param remote not a wildcard
     * @return false where it has to be looked up
     */
    public boolean knowsNobodyAt(InetSocketAddress remote) {
        try {
            return negative.has(remote, negative.lastChange());
        } catch (IOException e) {
            return false; // looking it up tells why
        }
    }

    private Entry lookUpInDirectory(InetSocketAddress remote) throws IOException {
        if (across && addresses.mayBeAcross(remote.getAddress())) { // no wildcard of this namespace is meant
            return lookUpAcross(remote);
        }
        Entry entry = readIfPresent(directory.resolve(name(remote.getPort(), hex(remote.getAddress()))));
        if (entry == null) {
            entry = readIfPresent(directory.resolve(name(remote.getPort(), "any")));
        }
        if (entry == null && remote.getAddress() instanceof Inet4Address) {
            entry = readIfPresent(directory.resolve(name(remote.getPort(), "any4")));
        }
        return entry;
    }

    /** An entry of this namespace is one of an address that it had when the listener came, and has no more. */
    private Entry lookUpAcross(InetSocketAddress remote) throws IOException {
        Entry entry = readIfPresent(directory.resolve(acrossName(remote.getPort(), remote.getAddress())));
        return entry == null || entry.namespace() == namespaceId() ? null : entry;
    }

    private static Entry readIfPresent(Path path) throws IOException {
        return path.toFile().exists() ? read(path) : null; // File.exists makes no exception where nothing is
    }

    /** Only a file that does not exist is absent: what this process lacks is no news of others. */
    private static Entry read(Path path) throws IOException {
        try {
            Ownership.requireOwnFile(path);
            String text = readText(path);
            return parse(path, text);
        } catch (NoSuchFileException e) {
            return null;
        } catch (FileNotFoundException e) { // which a stream also throws where it has no descriptor
            if (Files.notExists(path, NOFOLLOW_LINKS)) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Reads {@code rsockets4j VERSION ENDPOINT LISTENER GENERATION [SO_RCVBUF [NAMESPACE]]}, ended by a line feed.
     * Those of other network namespaces, and they alone, have all of it.
     */
    private static Entry parse(Path path, String text) throws IOException {
        List<String> words = words(text);
        if (words.size() < 2 || !words.get(0).equals(PROGRAM)) {
            throw new IOException(path + " is not a listener entry; remove it");
        }
        long version = number(words.get(1));
        if (version >= 0 && version != Long.parseLong(VERSION)) {
            throw new PathException(Reason.VERSION, "the listener entry " + path + " has version " + version
                    + ", this process knows version " + VERSION);
        }
        long listener = words.size() < 5 ? -1 : number(words.get(3));
        long generation = words.size() < 5 ? -1 : number(words.get(4));
        long receiveBytes = words.size() < 6 ? 0 : number(words.get(5));
        long namespace = words.size() < 7 ? 0 : number(words.get(6));
        boolean isAcross = path.getFileName().toString().startsWith(ACROSS);
        if (version < 0 || words.size() < 5 || words.size() > 7 || !text.endsWith("\n")
                || !isName(words.get(2), ENDPOINT) || listener < 0 || listener >= BellPage.LISTENERS
                || generation < 0 || receiveBytes < 0 || receiveBytes > Integer.MAX_VALUE || namespace < 0
                || isAcross != namespace > 0) {
            throw new IOException(path + " is not a listener entry; remove it");
        }
        return new Entry(words.get(2), (int) listener, generation, (int) receiveBytes, namespace);
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int end = text.endsWith("\n") ? text.length() - 1 : text.length();
        for (int begin = 0; begin <= end;) {
            int space = text.indexOf(' ', begin);
            int next = space < 0 || space > end ? end : space;
            words.add(text.substring(begin, next));
            begin = next + 1;
        }
        return words;
    }

    /** A decimal number without sign, or -1. */
    private static long number(String word) {
        if (word.isEmpty() || word.length() > MAX_DIGITS) {
            return -1;
        }
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) < '0' || word.charAt(i) > '9') {
                return -1;
            }
        }
        return Long.parseLong(word);
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

    /** The entry by which other network namespaces find a listener. */
    static String acrossName(int port, InetAddress address) {
        return ACROSS + port + "-" + hex(address) + LISTEN;
    }

    private String name(int port, String where) {
        return namespace + "-" + port + "-" + where + LISTEN;
    }

    static String hex(InetAddress address) {
        return HexFormat.of().formatHex(address.getAddress());
    }

    /**
     * Removes what processes left that died: endpoints that refuse, bells without a lock, and files that nobody has
     * taken for a minute.
     *
     * @param ownBells the name of this process' bells
     */
    public void sweep(String ownBells) {
        sweep(ownBells, true);
    }

    private void sweep(String ownBells, boolean endpoints) {
        try {
            for (String name : UserDirectory.names(directory)) {
                Path path = directory.resolve(name);
                if (endpoints && name.endsWith(ENDPOINT) && UnixSockets.isDead(path)) {
                    forget(name);
                } else if (isLeft(name, path, ownBells)) {
                    MappedFile.unlink(path);
                }
            }
            sweepMemory();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot sweep " + directory, e);
        }
    }

    /** Removes what processes have lent whose bells are gone. After the bells: a directory is in no order. */
    private void sweepMemory() throws IOException {
        for (String name : UserDirectory.names(directory)) {
            int end = name.endsWith(MEMORY) ? name.indexOf('-') : -1;
            if (end > 0 && !directory.resolve(name.substring(0, end) + BELLS).toFile().exists()) {
                MappedFile.unlink(directory.resolve(name));
            }
        }
    }

    /**
     * A process has died, of which only others know that: removes its bells and the socket by which it told of its
     * connections, soon, and once for all that die together; and what others left in the midst of a handshake.
     *
     * @param ownBells the name of this process' bells
     * @param scheduler runs a task on the service thread after so many nanoseconds
     */
    public void sweepSoon(String ownBells, ObjLongConsumer<Runnable> scheduler) {
        if (sweepDue.compareAndSet(false, true)) {
            scheduler.accept(() -> {
                sweepDue.set(false);
                sweep(ownBells, false);
            }, DEATH_NANOS);
        }
    }

    private boolean isLeft(String name, Path path, String ownBells) {
        return name.endsWith(BELLS) && !name.equals(ownBells) && BellsFile.isLeft(path)
                || StatNames.isLeft(path)
                || (name.endsWith(SHARED) || name.endsWith(DRAFT)) && isOld(path);
    }

    private static boolean isOld(Path path) {
        long modified = path.toFile().lastModified(); // 0 when another has removed it
        return modified != 0 && System.currentTimeMillis() - modified > OLD_MILLIS;
    }

    /**
     * Removes an endpoint whose process is dead, and every listener entry that names it.
     *
     * @param endpoint its name
     * @return false where the process lives: nothing is removed then
     */
    public boolean forgetIfDead(String endpoint) {
        boolean dead = UnixSockets.isDead(path(endpoint));
        if (dead) {
            forget(endpoint);
        }
        return dead;
    }

    private void forget(String endpoint) {
        try {
            for (String name : UserDirectory.names(directory)) {
                Path path = directory.resolve(name);
                if (name.endsWith(LISTEN) && Files.isRegularFile(path, NOFOLLOW_LINKS)
                        && Files.size(path) <= MAX_ENTRY_BYTES && Files.readString(path).contains(endpoint)) {
                    MappedFile.unlink(path);
                }
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot clean up after " + endpoint, e);
        }
        MappedFile.unlink(directory.resolve(endpoint));
    }

    /**
     * The directory itself.
     *
     * @return of this user
     */
    public Path directory() {
        return directory;
    }
}
