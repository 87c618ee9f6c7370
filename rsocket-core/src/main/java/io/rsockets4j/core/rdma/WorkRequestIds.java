/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

/**
 * What is in the identifier of a work request.
 *
 * <pre>
 *   63               40 39            24 23 22                   0
 *   +------------------+----------------+--+----------------------+
 *   | index of the     | generation of  |1 | count of sends, or   |
 *   | session          | that index     |0 | index of the receive |
 *   +------------------+----------------+--+----------------------+
 * </pre>
 */
final class WorkRequestIds {
    private static final int TAG_SHIFT = 24;
    private static final int GENERATION_BITS = 16;
    private static final long SEND = 1L << 23;

    private WorkRequestIds() { }

    /** The part that names a session. */
    static long tag(int index, int generation) {
        return (long) index << GENERATION_BITS | generation & 0xffff;
    }

    static long send(long tag, long count) {
        return tag << TAG_SHIFT | SEND | count & SEND - 1;
    }

    static long receive(long tag, int index) {
        return tag << TAG_SHIFT | index;
    }

    static long tag(long id) {
        return id >>> TAG_SHIFT;
    }

    static int index(long tag) {
        return (int) (tag >>> GENERATION_BITS);
    }

    static boolean isSend(long id) {
        return (id & SEND) != 0;
    }

    /** The value of a receive, or the lower bits of a send's count. */
    static int value(long id) {
        return (int) (id & SEND - 1);
    }

    /** How far the lower bits of a count are ahead of a count. */
    static long distance(int value, long count) {
        return value - count & SEND - 1;
    }
}
