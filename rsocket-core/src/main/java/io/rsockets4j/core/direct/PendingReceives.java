/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

/**
 * The receives that wait for bytes, oldest first, and what is promised to each. Indexes count from the oldest. One
 * thread at a time.
 */
final class PendingReceives {
    /** The phase of a receive that is not advertised. */
    static final long NOT_ADVERTISED = -1;

    static final int WAIT_ALL = 1;
    static final int DIRECT = 2;
    static final int CANCELLED = 4;

    private final long[] ids;
    private final int[] lengths;
    private final int[] filled;
    private final long[] phases;
    private final byte[] flags;
    private int first;
    private int count;
    private long promised;

    PendingReceives(int capacity) {
        ids = new long[capacity];
        lengths = new int[capacity];
        filled = new int[capacity];
        phases = new long[capacity];
        flags = new byte[capacity];
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return count == ids.length;
    }

    void add(long id, int length, int withFlags) {
        int at = at(count);
        ids[at] = id;
        lengths[at] = length;
        filled[at] = 0;
        phases[at] = NOT_ADVERTISED;
        flags[at] = (byte) withFlags;
        count++;
    }

    private int at(int index) {
        int at = first + index;
        return at < ids.length ? at : at - ids.length;
    }

    long id(int index) {
        return ids[at(index)];
    }

    int filled(int index) {
        return filled[at(index)];
    }

    int remaining(int index) {
        int at = at(index);
        return lengths[at] - filled[at];
    }

    boolean is(int index, int flag) {
        return (flags[at(index)] & flag) != 0;
    }

    void cancel(int index) {
        flags[at(index)] |= CANCELLED;
    }

    long phase(int index) {
        return phases[at(index)];
    }

    int indexOf(long id) {
        for (int i = 0; i < count; i++) {
            if (id(i) == id) {
                return i;
            }
        }
        return -1;
    }

    /** Bytes that the advertised ones take at least: where the first byte after them can be. */
    long promised() {
        return promised;
    }

    private int least(int index) {
        return is(index, WAIT_ALL) ? remaining(index) : 1;
    }

    void advertise(int index, long phase) {
        phases[at(index)] = phase;
        promised += least(index);
    }

    void forgetAdverts() {
        for (int i = 0; i < count; i++) {
            phases[at(i)] = NOT_ADVERTISED;
        }
        promised = 0;
    }

    /** Counts bytes into the oldest, and says whether it is done. */
    boolean fill(int bytes) {
        boolean waitAll = is(0, WAIT_ALL);
        if (waitAll && phases[first] != NOT_ADVERTISED) {
            promised -= bytes;
        }
        filled[first] += bytes;
        return !waitAll || filled[first] == lengths[first];
    }

    /** Takes one out; those after it move up. */
    void remove(int index) {
        if (phase(index) != NOT_ADVERTISED) {
            promised -= least(index);
        }
        for (int i = index; i > 0; i--) {
            int to = at(i);
            int from = at(i - 1);
            ids[to] = ids[from];
            lengths[to] = lengths[from];
            filled[to] = filled[from];
            phases[to] = phases[from];
            flags[to] = flags[from];
        }
        first = at(1);
        count--;
    }
}
