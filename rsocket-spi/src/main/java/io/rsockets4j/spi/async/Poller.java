/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.spi.selector.RSelector;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.function.Consumer;

/**
 * Finds out which operations of a group can go on. One thread at a time polls: it spins on what was active lately, then
 * sleeps. All other methods may be called by any thread.
 */
final class Poller {
    private final RSelector selector;
    private final TaskQueue ready;
    private final Consumer<SelectionKey> collector = this::collect;
    private volatile boolean polling; // written by the polling thread

    /**
     * Creates a poller.
     *
     * @param selector owned by this poller from now on
     * @param ready receives the operations that can go on
     */
    Poller(RSelector selector, TaskQueue ready) {
        this.selector = selector;
        this.ready = ready;
    }

    /** Waits until an operation can go on, a task waits, or the poller is closed or woken. */
    void poll() throws IOException {
        polling = true; // volatile store before the looks at the queue and at interests: pairs with wakeup
        try {
            if (ready.isEmpty()) {
                selector.select(collector);
            } else {
                selector.selectNow(collector);
            }
        } catch (ClosedSelectorException e) {
            return; // the group has terminated, as the caller will see
        } finally {
            polling = false;
        }
    }

    /** Whether a thread is in {@link #poll}. */
    boolean isPolling() {
        return polling;
    }

    /** Makes the polling thread, if there is one, look at tasks and interests. */
    void wakeup() {
        if (polling) { // volatile load after what it is to look at was stored: pairs with poll
            selector.wakeup();
        }
    }

    /** Begins to look for operations of a channel. */
    SelectionKey register(SelectableChannel channel, int ops, Readiness readiness) throws ClosedChannelException {
        return channel.register(selector, ops, readiness);
    }

    void close() throws IOException {
        selector.close();
    }

    private void collect(SelectionKey key) {
        ((Readiness) key.attachment()).collect(key.readyOps(), ready);
    }
}
