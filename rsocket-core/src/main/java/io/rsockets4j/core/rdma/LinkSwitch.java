/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.HashMap;
import java.util.Map;

/**
 * The peer's part of a session's way from a link that has failed to the other one: what it tells of each connection is
 * kept until it has told all, and this side has gone over as well. Guarded by the session's switching lock.
 */
final class LinkSwitch {
    private static final int UNKNOWN = -1;

    private final Map<Integer, Resume> told = new HashMap<>();
    private int announced = UNKNOWN; // connections that the peer tells of

    /**
     * The peer has gone over.
     *
     * @param connections of how many it tells
     * @throws ProtocolException if that cannot be
     */
    void announced(int connections) throws ProtocolException {
        if (announced != UNKNOWN || connections < 0 || connections > DataImmediate.NUMBERS) {
            throw new ProtocolException("SWITCH with " + connections + " connections"
                    + (announced == UNKNOWN ? "" : ", again"));
        }
        announced = connections;
    }

    /**
     * The peer tells of a connection.
     *
     * @throws ProtocolException if it has not announced that
     */
    void told(Resume resume) throws ProtocolException {
        if (told.size() >= announced || told.putIfAbsent(resume.number(), resume) != null) {
            throw new ProtocolException("RESUME of connection " + resume.number() + ", which was not announced");
        }
    }

    /** Whether the peer has gone over, and has told all. */
    boolean isComplete() {
        return told.size() == announced;
    }

    /** What it has told, by the numbers of connections. */
    Map<Integer, Resume> told() {
        return told;
    }
}
