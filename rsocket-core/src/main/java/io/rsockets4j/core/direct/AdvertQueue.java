/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

/**
 * The adverts that a sender may fill, oldest first; all are of its own phase. Their number is bounded by what both
 * sides agreed on. One thread at a time.
 */
final class AdvertQueue {
    private final long[] addresses;
    private final long[] keys;
    private final int[] lengths;
    private final boolean[] whole;
    private int first;
    private int count;

    AdvertQueue(int capacity) {
        addresses = new long[capacity];
        keys = new long[capacity];
        lengths = new int[capacity];
        whole = new boolean[capacity];
    }

    int capacity() {
        return lengths.length;
    }

    int count() {
        return count;
    }

    void add(long address, long key, int length, boolean waitAll) {
        int at = (first + count) % lengths.length;
        addresses[at] = address;
        keys[at] = key;
        lengths[at] = length;
        whole[at] = waitAll;
        count++;
    }

    /** Where the next byte for the oldest goes. */
    long address() {
        return addresses[first];
    }

    long key() {
        return keys[first];
    }

    /** How many more bytes the oldest takes. */
    int length() {
        return lengths[first];
    }

    /** Takes bytes off the oldest, which then is gone unless it waits for all of its bytes and lacks some. */
    void fill(int bytes) {
        addresses[first] += bytes;
        lengths[first] -= bytes;
        if (!whole[first] || lengths[first] == 0) {
            first = (first + 1) % lengths.length;
            count--;
        }
    }

    void clear() {
        count = 0;
    }
}
