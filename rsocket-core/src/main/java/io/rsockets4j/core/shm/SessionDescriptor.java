/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.shm.ring.Mark;

/**
 * Layout of the file that two processes share beside their connections.
 *
 * <pre>
 *      0  LISTENERS     512 words, written by the acceptor: 0, or of the listener that is open the generation (48
 *                       bits), the backlog (15 bits; 0 if not told), and bit 63 while that is full
 *   4096  CONNECT_TAIL  written by the initiator: connects requested
 *   4224  CONNECT_HEAD  written by the acceptor: connects taken
 *   8192  CONNECTS      256 entries of 128 bytes, written by the initiator
 *  40960  PARKED        a word per side, two cache lines each: 1 while its service thread sleeps or is about to
 *  45056  RUNG          a bitmap per side, a bit per slot: whom to look at; set by the ringing side
 *  49152  a page with the mark of the file, see Mark
 *  53248  end
 *
 * connect entry
 *   +0 slot   +8 slot generation   +16 listener   +24 listener generation
 *   +32 initiator's address   +64 acceptor's address
 * address
 *   +0 port   +4 scope id   +8 length, 4 or 16 (each 4 bytes)   +12 16 bytes
 * </pre>
 */
final class SessionDescriptor {
    /** The sides of a session: who connects, and who listens. */
    static final int INITIATOR = 0;
    static final int ACCEPTOR = 1;

    static final int MAX_SLOTS = 16 * 1024;

    static final int LISTENERS = 0;
    static final int MAX_LISTENERS = BellPage.LISTENERS;
    static final long LISTENER_FULL = 1L << 63;
    static final int LISTENER_BACKLOG = 48; // the lowest of its bits
    static final long LISTENER_GENERATION = (1L << LISTENER_BACKLOG) - 1;
    static final int MAX_BACKLOG = (1 << 63 - LISTENER_BACKLOG) - 1;
    static final int CONNECT_TAIL = 4096;
    static final int CONNECT_HEAD = 4224;
    static final int CONNECTS = 8192;
    static final int CONNECT_ENTRIES = 256;
    static final int CONNECT_BYTES = 128;
    static final int PARKED = CONNECTS + CONNECT_ENTRIES * CONNECT_BYTES;
    static final int PARKED_BYTES = 128;
    static final int RUNG = PARKED + 4096;
    static final int RUNG_WORDS = MAX_SLOTS / 64;
    static final int MARK = RUNG + 2 * RUNG_WORDS * Long.BYTES;
    static final int FILE_BYTES = MARK + Mark.BYTES;

    private SessionDescriptor() { }

    static int listener(int index) {
        return LISTENERS + index * Long.BYTES;
    }

    static int connect(long count) {
        return CONNECTS + (int) (count & CONNECT_ENTRIES - 1) * CONNECT_BYTES;
    }

    /** Where a side (0 initiator, 1 acceptor) says that its service thread sleeps. */
    static int parked(int side) {
        return PARKED + side * PARKED_BYTES;
    }

    /** Where a side's bitmap begins. */
    static int rung(int side) {
        return RUNG + side * RUNG_WORDS * Long.BYTES;
    }
}
