/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.fabric.Waiter;
import java.util.Arrays;

/**
 * The keys whose fabric side is polled, because something happened there lately. The others are quiet: their source
 * rings the selector's waiter. So a selection costs what is active, not what is registered. Guarded by the selector's
 * monitor.
 */
final class ActiveKeys {
    /** A key becomes quiet after this many polls of active keys, its own and others', found it unready. */
    private static final int POLLS_BEFORE_QUIET = 4096;
    private static final int MIN_ROUNDS_BEFORE_QUIET = 8;

    private final Waiter waiter;
    private final ReadyKeys ready;
    private RSelectionKey[] keys = new RSelectionKey[16];
    private int size;
    private long round;

    ActiveKeys(Waiter waiter, ReadyKeys ready) {
        this.waiter = waiter;
        this.ready = ready;
    }

    int size() {
        return size;
    }

    /** Begins to poll a key, unless it is polled already. */
    void add(RSelectionKey key) {
        key.lastReadyRound = round;
        if (key.activeIndex >= 0) {
            return;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
        }
        key.activeIndex = size;
        keys[size++] = key;
    }

    /** Ends polling a key, without arming it. */
    void remove(RSelectionKey key) {
        int index = key.activeIndex;
        if (index < 0) {
            return;
        }
        key.activeIndex = -1;
        RSelectionKey last = keys[--size];
        keys[size] = null;
        if (index < size) {
            keys[index] = last;
            last.activeIndex = index;
        }
    }

    /** Looks at every active key once. */
    boolean poll() {
        long now = ++round;
        long patience = Math.max(MIN_ROUNDS_BEFORE_QUIET, POLLS_BEFORE_QUIET / Math.max(1, size));
        Object polled = null; // the keys of a device share a completion queue, which is polled once
        for (int i = size - 1; i >= 0; i--) {
            RSelectionKey key = keys[i];
            polled = key.pollCompletions(polled);
            int ops = key.readyOnFabric();
            if (ops != 0) {
                found(key, ops);
            } else if (now - key.lastReadyRound > patience) {
                quieten(key);
            }
        }
        return !ready.isEmpty();
    }

    /** Makes all active keys quiet; those that turn out to be ready stay. */
    boolean quietenAll() {
        for (int i = size - 1; i >= 0; i--) {
            quieten(keys[i]);
        }
        return !ready.isEmpty();
    }

    private void quieten(RSelectionKey key) {
        key.fabric().arm(key.selectOps, waiter);
        key.waitsToWrite = (key.selectOps & OP_WRITE) != 0;
        int ops = key.readyOnFabric(); // once more after arming: pairs with the peer, which changes and then rings
        if (ops != 0) {
            found(key, ops);
        } else {
            remove(key);
        }
    }

    /** Withdraws what {@link #quieten} armed, if that was for OP_WRITE too: so the fabric knows how long that took. */
    void endWaitToWrite(RSelectionKey key) {
        if (key.waitsToWrite) {
            key.waitsToWrite = false;
            key.fabric().disarm(waiter);
        }
    }

    private void found(RSelectionKey key, int ops) {
        if ((ops & OP_WRITE) != 0) {
            endWaitToWrite(key);
        }
        if (key.isLive()) {
            key.lastReadyRound = round;
            ready.add(key, ops);
        } else {
            remove(key);
        }
    }
}
