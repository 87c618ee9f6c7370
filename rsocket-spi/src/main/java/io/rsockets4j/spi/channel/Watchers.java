/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.channel.FabricChannel.Watcher;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The selectors' keys of one channel, in an array that each change copies. A channel without keys, as most that
 * connect to plain peers, has this object alone. Thread-safe; nothing blocks.
 */
final class Watchers extends AtomicReference<Watcher[]> {
    private static final long serialVersionUID = 1L;
    private static final Watcher[] NONE = {};

    Watchers() {
        super(NONE);
    }

    void add(Watcher added) {
        updateAndGet(all -> {
            Watcher[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = added;
            return more;
        });
    }

    void remove(Watcher removed) {
        updateAndGet(all -> Arrays.stream(all).filter(watcher -> watcher != removed).toArray(Watcher[]::new));
    }

    /** Runs an action for each watcher that is there now. */
    void forEach(Consumer<Watcher> action) {
        for (Watcher watcher : get()) {
            action.accept(watcher);
        }
    }
}
