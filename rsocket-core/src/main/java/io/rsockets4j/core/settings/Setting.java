/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Every setting: its key, default, unit, range and meaning. The only place that knows them. */
public enum Setting {
    /** Which paths may be used, best first. */
    PATHS("paths", "auto", "list", "auto, or some of shm, rdma, tcp",
            "Which paths a connection may take, in order of preference. Without tcp nothing falls back. auto is shm,tcp"
            + " on a host without an active RDMA port; with one it is shm,rdma,tcp, where a peer at a private address"
            + " is asked for rdma beside its first connection, which goes by tcp.", Kind.PATHS),
    /** The file of rules. */
    RULES("rules", "", "path", "a readable text file, or empty for none",
            "File of rules that choose paths by direction, address and port; read again when it changes.", Kind.TEXT),
    /** Rules without a file. */
    RULE("rule", "", "rules", "DIRECTION HOST PORTS ACTION PATHS, with semicolons between rules",
            "Rules that come before those of the file, for example 'connect * 22 deny *; bind * 8080 require shm'.",
            Kind.TEXT),
    /** How long refusals count. */
    REMEMBER_SECONDS("remember.seconds", "60", "seconds", "0 to 86400",
            "How long connects do not ask a peer again that did not take a path, where asking is costly.", 0, 86_400),
    /** Whether to print the summary line at exit. */
    SUMMARY("summary", "false", "boolean", "true or false",
            "Print one line at exit on standard error: the number of connections by path, and what serves the program.",
            Kind.BOOLEAN),
    /** What is logged. */
    LOG("log", "warning", "level", "warning, info, debug",
            "What goes to the program's System.Logger even where its configuration does not ask for it: only what is"
            + " wrong; with info also that rsockets4j serves the program and which connects go by TCP; with debug also"
            + " each failed attempt.",
            Kind.LEVEL),
    /** Capacity of each ring. */
    RING_BYTES("ring.bytes", "262144", "bytes", "a power of two from 8192 to 268435456",
            "Capacity of the ring in each direction of a connection: how far a writer can be ahead of its reader,"
            + " unless the program sets its buffers.", Kind.RING),
    /** The largest ring that a program can ask for. */
    RING_MAX_BYTES("ring.max.bytes", "524288", "bytes", "a power of two from 8192 to 268435456",
            "Largest ring of a connection whose program asks for large buffers, by SO_SNDBUF and SO_RCVBUF before it"
            + " connects or binds. Never less than ring.bytes.", Kind.RING),
    /** Longest spin before a thread parks. */
    SPIN_MICROS("spin.micros", "50", "microseconds", "0 to 100000",
            "Longest time a waiting thread spins before it sleeps. 0 never spins.", 0, 100_000),
    /** How long a path may take to come up. */
    HANDSHAKE_MILLIS("handshake.millis", "2000", "milliseconds", "1 to 60000",
            "How long a connect waits for a peer's handshake on one path before it tries the next.", 1, 60_000),
    /** How long a connection with SO_KEEPALIVE may be silent. */
    KEEPALIVE_SECONDS("keepalive.seconds", "7200", "seconds", "1 to 86400",
            "How long a connection with SO_KEEPALIVE may be silent before this side asks the peer's host for a sign of"
            + " life. For path rdma; the default is TCP's.", 1, 86_400),
    /** How the verbs are reached. */
    RDMA_BINDING("rdma.binding", "auto", "name", "auto, ffm, disni",
            "Which binding to the RDMA verbs to use. auto takes the best one that works here.", Kind.NAME),
    /** Whether writes carry immediate data. */
    RDMA_IMMEDIATE("rdma.immediate", "true", "boolean", "true or false",
            "Use RDMA WRITE WITH IMMEDIATE where the device has it. Otherwise a send follows each write.",
            Kind.BOOLEAN),
    /** From which size on the program's buffers themselves are written to and sent from. */
    DIRECT_MIN_BYTES("direct.min.bytes", "0", "bytes", "0 to 1073741824",
            "The size from which on a direct buffer is registered for one read or write. The peer's device writes"
            + " straight into the buffer of a read that waits; this side's device sends straight from the buffer of a"
            + " write to such a read. 0 for never. For path rdma; best the same on both sides.",
            0, 1L << 30),
    /** The same for extended sockets. */
    DIRECT_REGISTERED_MIN_BYTES("direct.registered.min.bytes", "524288", "bytes", "0 to 1073741824",
            "The size from which on the registered memory of extended sockets is used so; 0 for never. What is sent"
            + " from stays registered. By path shm the receiver copies from the sender's memory what is of this size"
            + " and larger than a ring.", 0, 1L << 30),
    /** Whether large writes take no other way. */
    DIRECT_ONLY("direct.only", "false", "boolean", "true or false",
            "Writes that direct.min.bytes or direct.registered.min.bytes is for never take the ring: they wait for a"
            + " read of the peer's to write to. For measurements, on both sides, else a write may wait for ever.",
            Kind.BOOLEAN),
    /** How much memory for RDMA. */
    RDMA_MAX_BYTES("rdma.max.bytes", "0", "bytes", "0 to 1125899906842624",
            "Most memory that this process pins for RDMA; 0 for no limit but the system's. Where it is used up, new "
                    + "connections take the next path; rings grow while half of it is left, and buffers are lent while"
                    + " three quarters are.", 0, 1L << 50),
    /** How many links. */
    RDMA_LINKS("rdma.links", "2", "links", "1 or 2",
            "How many links, each on a device or port of its own, the RDMA connections of two processes may have: where"
                    + " the first fails they go on over the other.", 1, 2),
    /** Where shared memory lives. */
    SHM_DIRECTORY("shm.dir", "/dev/shm", "path", "a directory in memory",
            "Directory below which processes of one user meet and share ring buffers.", Kind.DIRECTORY),
    /** Between pods. */
    SHM_ACROSS_NAMESPACES("shm.across.namespaces", "false", "boolean", "true or false",
            "Whether connects find processes of other network namespaces by their addresses there, as those of pods of "
                    + "one node. Both sides must share shm.dir and have this setting; their addresses must be unique.",
            Kind.BOOLEAN),
    /** How much of it. */
    SHM_MAX_BYTES("shm.max.bytes", "0", "bytes", "0 to 1125899906842624",
            "Most shared memory that this process makes for its connections; 0 for no limit of its own. In any "
                    + "case a sixteenth of the file system, 64 MiB at most, stays free for others. Where memory is "
                    + "short, rings stay small and new connections take the next path.", 0, 1L << 50);

    /** What every system property of ours begins with. */
    public static final String PREFIX = "rsockets4j.";

    /** The paths that there are, whether or not this host can use them. */
    public static final Set<String> KNOWN_PATHS = Set.of("shm", "rdma", "tcp");

    private static final System.Logger.Level[] LEVELS =
            {System.Logger.Level.WARNING, System.Logger.Level.INFO, System.Logger.Level.DEBUG};

    private final String key;
    private final String defaultText;
    private final String unit;
    private final String range;
    private final String description;

    private final Kind kind;
    private final long min; // of a number
    private final long max;

    /** What the text of a value is; one class for all settings, as each takes a program's time at its start. */
    private enum Kind { TEXT, NAME, DIRECTORY, PATHS, BOOLEAN, LEVEL, NUMBER, RING }

    Setting(String key, String defaultText, String unit, String range, String description, Kind kind) {
        this(key, defaultText, unit, range, description, kind, 0, 0);
    }

    Setting(String key, String defaultText, String unit, String range, String description, long min, long max) {
        this(key, defaultText, unit, range, description, Kind.NUMBER, min, max);
    }

    Setting(String key, String defaultText, String unit, String range, String description, Kind kind, long min,
            long max) {
        this.key = key;
        this.defaultText = defaultText;
        this.unit = unit;
        this.range = range;
        this.description = description;
        this.kind = kind;
        this.min = min;
        this.max = max;
    }

    /**
     * The key in agent arguments.
     *
     * @return for example {@code ring.bytes}
     */
    public String key() {
        return key;
    }

    /**
     * The system property of the same meaning.
     *
     * @return for example {@code rsockets4j.ring.bytes}
     */
    public String property() {
        return PREFIX + key;
    }

    /**
     * The value when none is given.
     *
     * @return as a user would write it
     */
    public String defaultText() {
        return defaultText;
    }

    /**
     * The unit of the value.
     *
     * @return for example {@code bytes}
     */
    public String unit() {
        return unit;
    }

    /**
     * What values are allowed.
     *
     * @return in words
     */
    public String range() {
        return range;
    }

    /**
     * What the setting does.
     *
     * @return a sentence or two
     */
    public String description() {
        return description;
    }

    /** The value as the program uses it; text stays text. */
    Object parse(String text) {
        return switch (kind) {
            case TEXT -> text;
            case NAME -> text.strip();
            case DIRECTORY -> parseDirectory(text);
            case PATHS -> parsePaths(text);
            case BOOLEAN -> parseBoolean(text);
            case LEVEL -> parseLevel(text);
            case NUMBER -> parseLong(text, min, max);
            case RING -> parseRingBytes(text);
        };
    }

    /** Whether nobody has named paths. */
    static boolean isAuto(String paths) {
        return paths.strip().equals("auto");
    }

    private static String parseDirectory(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("it is empty");
        }
        return text;
    }

    private static List<String> parsePaths(String text) {
        if (isAuto(text)) {
            return RdmaPorts.anyActive() ? List.of("shm", "rdma", "tcp") : List.of("shm", "tcp");
        }
        String[] paths = text.split(",", -1);
        for (int i = 0; i < paths.length; i++) {
            paths[i] = paths[i].strip();
            if (!KNOWN_PATHS.contains(paths[i])) {
                throw new IllegalArgumentException("there is no path '" + paths[i] + "'");
            }
        }
        List<String> list = List.of(paths);
        if (new HashSet<>(list).size() != list.size()) {
            throw new IllegalArgumentException("a path is named twice");
        }
        return list;
    }

    private static Boolean parseBoolean(String text) {
        return switch (text.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("it is neither true nor false");
        };
    }

    private static System.Logger.Level parseLevel(String text) {
        for (System.Logger.Level level : LEVELS) {
            if (level.name().equalsIgnoreCase(text.strip())) {
                return level;
            }
        }
        throw new IllegalArgumentException("there is no such level");
    }

    private static Long parseRingBytes(String text) {
        long bytes = parseLong(text, RingLimits.MIN_BYTES, 1L << 28);
        if (Long.bitCount(bytes) != 1) {
            throw new IllegalArgumentException("it is not a power of two");
        }
        return bytes;
    }

    private static Long parseLong(String text, long min, long max) {
        long value;
        try {
            value = Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("it is not a whole number", e);
        }
        if (value < min || value > max) {
            throw new IllegalArgumentException("it is outside " + min + " to " + max);
        }
        return value;
    }
}
