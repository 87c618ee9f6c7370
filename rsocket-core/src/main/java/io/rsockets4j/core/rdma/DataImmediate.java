/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

/**
 * The 32 bits that go with data, as immediate of the write or in the message that follows it: whose bytes were written,
 * and how many receives the writer has posted. Programs that answer each message so give the credit for the receives
 * back with their answers. How many bytes were written the completion tells.
 *
 * <pre>
 *   31     28 27              20 19  18  17 16 15                  0
 *   +--------+------------------+---+---+-----+--------------------+
 *   | kind 1 | receives posted, | D | L |  0  | number of the      |
 *   |        | in units of 16   |   |   |     | connection         |
 *   +--------+------------------+---+---+-----+--------------------+
 * </pre>
 *
 * The receives are the lower bits of a count since the session began. D: the bytes are in the buffer that the reader
 * has advertised, not in its ring. L, with D: no more of them come for that advert. L alone: some of the writer's last
 * writes were large, so that it can use adverts.
 */
final class DataImmediate {
    /** Receives are granted so many at a time. */
    static final int CREDIT_UNIT = 1 << 4;

    /** No side keeps so many receives posted, so that the lower bits of the count are enough. */
    static final int RECEIVES_LIMIT = CREDIT_UNIT << 8;

    /** Numbers of connections are below this. */
    static final int NUMBERS = 1 << 16;

    /** Flag: the bytes are in the buffer that was advertised. */
    static final int DIRECT = 1 << 19;

    /** Flag, with {@link #DIRECT}: these are the last ones for that advert. */
    static final int LAST = 1 << 18;

    /** The same flag, without {@link #DIRECT}: adverts can be used. */
    static final int LARGE = LAST;

    private static final int KIND_SHIFT = 28;
    private static final int KIND = 1;
    private static final int CREDIT_SHIFT = 20;
    private static final int CREDIT_MASK = 0xff;
    private static final int KEPT_MASK = 0x3 << 16;

    private DataImmediate() { }

    /** Says that bytes of a connection were written, and that {@code receives} were posted so far. */
    static int of(int number, long receives) {
        return KIND << KIND_SHIFT | credit(receives) << CREDIT_SHIFT | number;
    }

    /** Whether the bits are of this kind. */
    static boolean isData(int immediate) {
        return immediate >>> KIND_SHIFT == KIND && (immediate & KEPT_MASK) == 0;
    }

    static boolean isDirect(int immediate) {
        return (immediate & DIRECT) != 0;
    }

    /** With {@link #isDirect} {@link #LAST}, else {@link #LARGE}. */
    static boolean isLastOrLarge(int immediate) {
        return (immediate & LAST) != 0;
    }

    static int number(int immediate) {
        return immediate & NUMBERS - 1;
    }

    /** The low bits of the count of receives, in units of {@link #CREDIT_UNIT}. */
    static int credit(int immediate) {
        return immediate >>> CREDIT_SHIFT & CREDIT_MASK;
    }

    /** The count of receives, of which {@code known} were known before: the same, or whole units more. */
    static long receives(int credit, long known) {
        int units = credit - credit(known) & CREDIT_MASK;
        return units == 0 ? known : roundDown(known) + (long) units * CREDIT_UNIT;
    }

    /** The part of a count of receives that can be told. */
    static long roundDown(long receives) {
        return receives & -CREDIT_UNIT;
    }

    private static int credit(long receives) {
        return (int) (receives / CREDIT_UNIT) & CREDIT_MASK;
    }
}
