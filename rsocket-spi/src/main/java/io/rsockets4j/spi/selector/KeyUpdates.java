/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keys that were registered or whose interest has changed: the next selection takes them up, as the contract says.
 * Thread-safe; allocates nothing in steady use.
 */
final class KeyUpdates implements Consumer<RSelectionKey> {
    private final ReentrantLock lock = new ReentrantLock();
    private RSelectionKey[] keys = new RSelectionKey[16]; // guarded by lock
    private int size; // guarded by lock

    @Override
    public void accept(RSelectionKey key) {
        lock.lock();
        try {
            if (!key.updateQueued) {
                key.updateQueued = true;
                if (size == keys.length) {
                    keys = Arrays.copyOf(keys, size * 2);
                }
                keys[size] = key;
                size++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes one key; null when none is left. */
    RSelectionKey poll() {
        lock.lock();
        try {
            if (size == 0) {
                return null;
            }
            size--;
            RSelectionKey key = keys[size];
            keys[size] = null;
            key.updateQueued = false;
            return key;
        } finally {
            lock.unlock();
        }
    }
}
