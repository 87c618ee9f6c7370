/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.reason;

import java.util.Locale;

/**
 * Why a connection takes its path, or why a path could not be taken. Numbers are stable: none is ever used again for
 * something else.
 */
public enum Reason {
    /** Nothing stood against the best path. */
    PREFERRED(0, Kind.CHOICE, "The connection uses the path that the settings put first.", "Nothing."),
    /** A rule named the path. */
    RULE(1, Kind.CHOICE, "A rule chose the path.", "If that is not wanted, change the rule: the first that "
            + "matches direction, address and port, in `rule` and then in the file that `rules` names."),
    /** The other side connected that way. */
    PEER_CHOICE(2, Kind.CHOICE, "The peer connected by this path, and the connecting side chooses.",
            "To learn more, look at the peer: it has a reason of its own, unless it runs without rsockets4j."),
    /** The settings or a rule leave no path at all. */
    NO_PATH_ALLOWED(3, Kind.CHOICE, "The settings and rules together leave no path for this connection.",
            "Allow one: add it to `paths`, or change the rule that the message names."),
    /** Several listeners share the port. */
    SHARED_PORT(4, Kind.CHOICE, "Listeners share the port (SO_REUSEPORT), and only the kernel can choose among them.",
            "Listen without SO_REUSEPORT if one listener is enough."),

    /** Nobody there. */
    NOT_OFFERED(20, Kind.PEER, "Nobody offers this path at that address.",
            "If a JVM listens there, start it with rsockets4j. For shm it must also run as the same user, in the same "
            + "network namespace, and see the same shared-memory directory."),
    /** Asked lately. */
    REMEMBERED(21, Kind.PEER, "This path to that peer failed a moment ago, so this connect did not try it again.",
            "Wait: connects ask again after `remember.seconds`. The reason before this one says what was wrong."),
    /** A no. */
    REFUSED(22, Kind.PEER, "The peer refused this path.", "Read the rest of the message, and the peer's log."),
    /** Silence. */
    TIMEOUT(23, Kind.PEER, "The peer did not answer in time.",
            "See whether its process is stopped or starved of CPU; `handshake.millis` says how long a connect waits."),
    /** Too new or too old. */
    VERSION(24, Kind.PEER, "The two sides have no protocol version in common.",
            "Use the same jar on both sides, and restart both."),
    /** Not ours to talk to. */
    OTHER_USER(25, Kind.PEER, "The peer belongs to another user.", "Run both processes as one user."),
    /** Another network. */
    OTHER_NAMESPACE(26, Kind.PEER, "The peer is in another network namespace.",
            "Set `shm.across.namespaces=true` on both sides if they may share memory, or run both in one network "
            + "namespace, for example `docker run --network=container:NAME`."),
    /** Gone while connecting. */
    PEER_GONE(27, Kind.PEER, "The peer's process ended while the connection was made.",
            "Nothing, if it was meant to end; otherwise read its log."),
    /** Takes nothing. */
    PEER_BUSY(28, Kind.PEER, "The peer does not take its connects.",
            "See why its program does not accept, or is stopped; a larger backlog helps against bursts."),
    /** Nonsense. */
    PROTOCOL(29, Kind.PEER, "The peer said something that the protocol does not allow.",
            "Use the same jar on both sides; if it is the same, report it with the message."),
    /** A lack on the other side. */
    FEATURE_MISSING(30, Kind.PEER, "The peer lacks a feature that this path needs.",
            "Use the same jar on both sides; the message names the feature."),
    /** No room yet. */
    BACKLOG_FULL(31, Kind.PEER, "The listener's backlog is full; a connect waits for room, as over TCP.",
            "See why its program does not accept; a larger backlog helps against bursts."),

    /** Other memory. */
    OTHER_DIRECTORY(32, Kind.PEER, "The peer has rsockets4j, and meets its peers in another directory.",
            "Give both the same `shm.dir`; in containers mount the same directory into both."),
    /** A JVM that was started without us. */
    WITHOUT_AGENT(33, Kind.PEER, "A JVM of this user listens there, without rsockets4j.",
            "Start it with `-javaagent:rsockets4j.jar`, or attach to it."),
    /** Redis, a database, another user's program. */
    STRANGER(34, Kind.PEER, "The program there cannot have rsockets4j: it is no JVM, or another user's.", "Nothing."),
    /** Another host. */
    OTHER_HOST(35, Kind.PEER, "The address is another host's, which shared memory does not reach.",
            "Nothing; between hosts there is path `rdma`."),
    /** For the next one. */
    ASKED(36, Kind.PEER, "The peer is being asked for this path, and this connection does not wait for its answer.",
            "Nothing: later connections take the path if the peer has it. To wait for the answer, name `rdma` in"
            + " `paths`."),

    /** No hardware. */
    NO_DEVICE(40, Kind.HERE, "This host has no device for this path.",
            "`rdma link show` must list an active link; take `rdma` out of `paths` on a host without one."),
    /** The way is missing. */
    NO_ROUTE(41, Kind.PEER, "No device of this host leads to that address.",
            "Connect to an address of the RDMA network, or give its interface a route there."),
    /** No library. */
    NO_BINDING(42, Kind.HERE, "The libraries that this path needs are missing.",
            "Install what the message names (libibverbs1 and librdmacm1, or libdisni), or use a newer JDK."),
    /** Forbidden. */
    PERMISSION(43, Kind.HERE, "This process lacks a permission that the path needs.",
            "Give it access to the file or device that the message names."),
    /** No pinning. */
    MEMLOCK(44, Kind.HERE, "The limit on locked memory is too low to register ring buffers.",
            "Raise it: `ulimit -l unlimited`, `LimitMEMLOCK=infinity` in systemd, `--ulimit memlock=-1` in Docker."),
    /** No memory. */
    NO_MEMORY(45, Kind.HERE,
            "Shared memory is full, or this process has used up its `shm.max.bytes` or `rdma.max.bytes`.",
            "Enlarge `/dev/shm` (`--shm-size` in Docker), make `ring.bytes` smaller, or name another `shm.dir`."),
    /** No descriptors. */
    NO_DESCRIPTORS(46, Kind.HERE, "This process has too many open files.", "Raise the limit: `ulimit -n 65536`."),
    /** Full. */
    TOO_MANY(47, Kind.HERE, "There are as many connections, listeners or sessions as this path can have.",
            "Close some, or spread them over more processes. Where the message speaks of descriptors, raise `ulimit -n`"
            + " for the process that listens."),
    /** Not usable here. */
    UNAVAILABLE(48, Kind.HERE, "This path is not available in this process.",
            "Read the warning `path ... is not available`: the log has it once, from the process' first socket or its"
            + " start."),
    /** Something else. */
    FAILED(49, Kind.HERE, "The attempt failed for a cause that has no number of its own.",
            "Read the message; it is logged at level DEBUG (`FINE`) for each connect.");

    /** Where a reason lies. */
    public enum Kind {
        /** In what was asked for: no fault. */
        CHOICE("chosen"),
        /** With the peer: it may be different for others, and later. */
        PEER("with the peer"),
        /** In this process or host: it is the same for every peer. */
        HERE("here");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /**
         * In words, for documentation.
         *
         * @return lower case
         */
        public String label() {
            return label;
        }
    }

    private final int number;
    private final Kind kind;
    private final String sentence;
    private final String advice;

    Reason(int number, Kind kind, String sentence, String advice) {
        this.number = number;
        this.kind = kind;
        this.sentence = sentence;
        this.advice = advice;
    }

    /**
     * The number in reports.
     *
     * @return never changes its meaning
     */
    public int number() {
        return number;
    }

    /**
     * The name in reports.
     *
     * @return for example {@code not-offered}
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Where the reason lies.
     *
     * @return decides, for example, whether a peer is to be remembered
     */
    public Kind kind() {
        return kind;
    }

    /**
     * What it means.
     *
     * @return one sentence in English
     */
    public String sentence() {
        return sentence;
    }

    /**
     * What to do about it.
     *
     * @return a sentence or two, with settings and commands in backticks
     */
    public String advice() {
        return advice;
    }

    /**
     * Whether the connection is as it was asked to be.
     *
     * @return false for a fallback
     */
    public boolean isChoice() {
        return kind == Kind.CHOICE;
    }

    /** The number and the name, for example {@code 20 not-offered}. */
    @Override
    public String toString() {
        return number + " " + label();
    }
}
