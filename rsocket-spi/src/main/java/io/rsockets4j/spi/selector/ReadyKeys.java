/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import java.util.Arrays;

/** The keys that one selection has found ready so far. Guarded by the selector's monitor. */
final class ReadyKeys {
    private RSelectionKey[] keys = new RSelectionKey[16];
    private int size;

    /** Adds operations that are ready. */
    void add(RSelectionKey key, int ops) {
        if (ops == 0) {
            return;
        }
        if (key.foundOps == 0) {
            if (size == keys.length) {
                keys = Arrays.copyOf(keys, size * 2);
            }
            keys[size++] = key;
        }
        key.foundOps |= ops;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    RSelectionKey get(int index) {
        return keys[index];
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            keys[i].foundOps = 0;
            keys[i] = null;
        }
        size = 0;
    }
}
