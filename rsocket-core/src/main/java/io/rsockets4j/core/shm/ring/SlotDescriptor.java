/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

/**
 * Layout of one connection's control words in shared memory, and of the file that holds a number of connections.
 *
 * <pre>
 * slot control, 1152 bytes; each word that is used often stands alone on two cache lines
 *
 *      0  ring 0 (initiator to acceptor)       512  ring 1 (acceptor to initiator)
 *         +0    TAIL        written by the sender: count | FIN | RESET
 *         +8    GROWN_AT    written by the sender: 0, or 1 + the count at which the whole ring came into use
 *         +16   URGENT      written by the sender: 0, or 1 + the count of the byte that it last sent as urgent
 *         +24   PASSED      written by the sender: what is unread before this count was sent as urgent
 *         +32   LOANS       written by the sender: how many loans it has made
 *         +40   loan n      at n mod 4, written by the sender, two words: the number of the memory (32 bits) and the
 *                           count of the byte that stands for it (its low 32 bits); offset and length (32 bits each)
 *         +128  HEAD        written by the receiver: count | CLOSED
 *         +136  LENT        written by both: lent bytes that the receiver has; it sets TAKES_LOANS at first, the sender
 *                           sets RECLAIMED at last
 *         +256  READER_ARM  set by the receiver, cleared by whoever wakes: whom to wake for bytes, see below;
 *                           -1 once the receiver has closed
 *         +384  WRITER_ARM  set by the sender, cleared by whoever wakes: whom to wake for credit, see below
 *   1024  RELEASED          written by the acceptor: the generation of the last connection that it has let go
 *   1088  EMPTIED           of slot 0 alone, written by the initiator: how often it has given the file's rings back
 *
 * arm
 *   0  nobody      1  the service thread      2  a thread that sleeps on this very word: its low 32 bits are a futex
 *   2 + n          bell n of the process (see BellPage)
 *
 * slot file
 *   [ control of slot 0 .. n-1, rounded up to a page ][ ring 0, ring 1 of slot 0 ][ ring 0, ring 1 of slot 1 ] ...
 * </pre>
 *
 * A ring begins its life with its first page alone in use, and with the whole when that was once full: idle
 * connections, and those with small messages, touch little memory.
 */
public final class SlotDescriptor {
    /** Offset of the sender's count. */
    public static final int TAIL = 0;
    /** Offset of the count at which the whole ring came into use. */
    public static final int GROWN_AT = 8;
    /** Offset of the mark of the last urgent byte. */
    public static final int URGENT = 16;
    /** Offset of the count before which what is unread was urgent. */
    public static final int PASSED = 24;
    /** Offset of the count of loans. */
    public static final int LOANS = 32;
    /** Offset of the first loan. */
    private static final int FIRST_LOAN = 40;
    /** Offset of the receiver's count. */
    public static final int HEAD = 128;
    /** Offset of the count of lent bytes. */
    public static final int LENT = 136;
    /** Offset of whom to wake for bytes. */
    public static final int READER_ARM = 256;
    /** Offset of whom to wake for credit. */
    public static final int WRITER_ARM = 384;
    /** The words of one ring. */
    public static final int RING_CONTROL_BYTES = 512;

    /** Nobody is to be woken. */
    public static final long NOBODY = 0;
    /** Wake the service thread. */
    public static final long SERVICE = 1;
    /** A thread sleeps on the word; from here on, the bells. */
    public static final long SLEEPER = 2;
    /** In place of whom to wake, in the reader's arm: the reader has closed. */
    public static final long READER_CLOSED = -1;

    /** Offset of the generation that the acceptor has let go. */
    public static final int RELEASED = 1024;
    /** Offset of how often the rings were given back. */
    public static final int EMPTIED = 1088;
    /** The words of one slot. */
    public static final int SLOT_CONTROL_BYTES = 1152;

    /** What memory is made in. */
    public static final int PAGE_BYTES = 4096;
    /** What a ring begins with. */
    public static final int FIRST_BYTES = PAGE_BYTES;

    /** In a tail: the stream has ended. */
    public static final long FIN = 1L << 63;
    /** In a tail: by a reset. */
    public static final long RESET = 1L << 62;
    /** In a head: nobody reads any more. */
    public static final long CLOSED = 1L << 63;
    /** In a tail and a head: the count. */
    public static final long COUNT = RESET - 1;

    /** In the count of lent bytes: the receiver takes loans. */
    public static final long TAKES_LOANS = 1L << 62;
    /** In the count of lent bytes: nothing is lent any more. */
    public static final long RECLAIMED = 1L << 63;
    /** How many loans may be under way; a power of two. */
    public static final int MAX_LOANS = 4;

    private SlotDescriptor() { }

    /**
     * Where a loan says in which memory it is, and where in the stream.
     *
     * @param index below {@link #MAX_LOANS}
     * @return offset in the words of a ring
     */
    static int loanPlace(int index) {
        return FIRST_LOAN + index * 2 * Long.BYTES;
    }

    /**
     * Where a loan says where it begins in its memory, and how long it is.
     *
     * @param index as above
     * @return offset in the words of a ring
     */
    static int loanRange(int index) {
        return loanPlace(index) + Long.BYTES;
    }

    /**
     * Where the rings begin in a slot file.
     *
     * @param slots how many it holds
     * @return bytes, whole pages
     */
    public static int controlBytes(int slots) {
        return (slots * SLOT_CONTROL_BYTES + PAGE_BYTES - 1) & -PAGE_BYTES;
    }

    /**
     * The size of a slot file.
     *
     * @param slots how many it holds
     * @param ringBytes the room of each ring
     * @return bytes
     */
    public static long fileBytes(int slots, int ringBytes) {
        return controlBytes(slots) + 2L * slots * ringBytes;
    }

    /**
     * Where a ring's memory is in the slot file; at most 2^31 because the file is.
     *
     * @param slots how many it holds
     * @param ringBytes the room of each ring
     * @param slot from 0
     * @param ring 0 or 1
     * @return offset in bytes
     */
    public static int ringOffset(int slots, int ringBytes, int slot, int ring) {
        return Math.toIntExact(controlBytes(slots) + (2L * slot + ring) * ringBytes);
    }

    /**
     * How many slots a file holds: 64, fewer where rings are so large that one mapping could not hold them.
     *
     * @param ringBytes the room of each ring
     * @return at least 1
     */
    public static int slotsPerFile(int ringBytes) {
        return (int) Math.max(1, Math.min(64, (1L << 30) / (2L * ringBytes)));
    }
}
