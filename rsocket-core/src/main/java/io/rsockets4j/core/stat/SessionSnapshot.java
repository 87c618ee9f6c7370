/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

/**
 * What was known at one time of one link of a session over RDMA: a queue pair, which connections share.
 *
 * @param session a number of this process' for the session, from 1 on; {@link #NO_SESSION}
 * while a second link is opening
 * @param local this end's address on the RDMA network; {@link #UNKNOWN} where the binding cannot tell
 * @param remote the peer's address; {@link #UNKNOWN} as well
 * @param device the device's name
 * @param port the device's port, from 1 on; 0 where the binding cannot tell, or the session is opening
 * @param gid which entry of the port's table of GIDs this end sends from; -1 where that is not known, or none
 * @param state {@link #OPENING}, {@link #UP}, {@link #STANDBY} or {@link #DOWN}
 * @param connections that are open
 * @param credit messages that this end may send before the peer grants more; 0 while it is opening
 * @param pinnedBytes memory that is registered with the device for it
 * @param openedAtMillis milliseconds since the epoch
 */
public record SessionSnapshot(int session, String local, String remote, String device, int port, int gid,
        String state, int connections, int credit, long pinnedBytes, long openedAtMillis) {
    /** A link that belongs to no session yet. */
    public static final int NO_SESSION = 0;
    /** An address that is not known. */
    public static final String UNKNOWN = "-";
    /** The peer has not said HELLO. */
    public static final String OPENING = "opening";
    /** It carries connections. */
    public static final String UP = "up";
    /** It carries none, and waits until the other one fails. */
    public static final String STANDBY = "standby";
    /** It has ended, and will be gone in a moment. */
    public static final String DOWN = "down";

    private static final String KIND = "session\t"; // connections begin with a number
    private static final int FIELDS = 12;

    /** One line: a word for its kind, and the fields in their order, with tabs between them. */
    String encode() {
        return KIND + String.join("\t", local, remote, device, Integer.toString(port), Integer.toString(gid), state,
                Integer.toString(connections), Integer.toString(credit), Long.toString(pinnedBytes),
                Long.toString(openedAtMillis), Integer.toString(session));
    }

    /** Whether a line is one of {@link #encode}. */
    static boolean isOne(String line) {
        return line.startsWith(KIND);
    }

    /**
     * Reads what {@link #encode} wrote. Further fields, of a later version, are ignored.
     *
     * @throws IllegalArgumentException if the line makes no sense
     */
    static SessionSnapshot decode(String line) {
        String[] f = ConnectionSnapshot.fields(line, FIELDS);
        return new SessionSnapshot(Integer.parseInt(f[11]), f[1], f[2], f[3], Integer.parseInt(f[4]),
                Integer.parseInt(f[5]), f[6], Integer.parseInt(f[7]), Integer.parseInt(f[8]), Long.parseLong(f[9]),
                Long.parseLong(f[10]));
    }
}
