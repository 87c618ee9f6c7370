/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

import java.util.ArrayList;
import java.util.List;

/**
 * The connections and sessions of one process at one time. As text: a line with the version of the format, the process'
 * number, its program, its host and what serves it; a line for each connection, then one for each session; a line that
 * says that it is complete.
 *
 * @param pid the process' number in its own namespace
 * @param program the main class or jar
 * @param host the name of its host, in a container with the number of its pid namespace; empty where it did not tell
 * @param served by what: version, paths and count of rules; empty where it did not tell
 * @param connections in the order of their numbers
 * @param sessions those over RDMA, the oldest first
 */
public record ProcessSnapshot(long pid, String program, String host, String served,
        List<ConnectionSnapshot> connections, List<SessionSnapshot> sessions) {
    private static final String HEAD = "rsockets4j-stat 2";
    private static final String END = "end";
    private static final int HEAD_FIELDS = 3; // and two that former versions did not tell

    String encode() {
        StringBuilder text = new StringBuilder();
        text.append(HEAD).append('\t').append(pid).append('\t').append(program.replaceAll("\\s", " "))
                .append('\t').append(host).append('\t').append(served).append('\n');
        for (ConnectionSnapshot connection : connections) {
            text.append(connection.encode()).append('\n');
        }
        for (SessionSnapshot session : sessions) {
            text.append(session.encode()).append('\n');
        }
        return text.append(END).append('\n').toString();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is cut off, of another version, or makes no sense
     */
    static ProcessSnapshot decode(String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() < 2 || !lines.get(lines.size() - 1).equals(END)) {
            throw new IllegalArgumentException("the answer is cut off after " + lines.size() + " lines");
        }
        String[] head = lines.get(0).split("\t", -1);
        if (!head[0].equals(HEAD) || head.length < HEAD_FIELDS) {
            throw new IllegalArgumentException("the answer begins with '" + head[0] + "' instead of '" + HEAD
                    + "': another version of the jar?");
        }
        String host = head.length > HEAD_FIELDS ? head[HEAD_FIELDS] : "";
        String served = head.length > HEAD_FIELDS + 1 ? head[HEAD_FIELDS + 1] : "";
        List<ConnectionSnapshot> connections = new ArrayList<>();
        List<SessionSnapshot> sessions = new ArrayList<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            if (SessionSnapshot.isOne(line)) {
                sessions.add(SessionSnapshot.decode(line));
            } else {
                connections.add(ConnectionSnapshot.decode(line));
            }
        }
        return new ProcessSnapshot(Long.parseLong(head[1]), head[2], host, served, connections, sessions);
    }
}
