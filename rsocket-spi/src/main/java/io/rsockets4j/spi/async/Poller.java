/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

/**
 * Finds out which operations of a group can go on. One thread at a time polls: it spins on what was active lately, then
 * sleeps. All other methods may be called by any thread.
 */
final class Poller {
    private final Selector selector;
    private final TaskQueue ready;
    private final Consumer<SelectionKey> collector;
    private volatile boolean polling; // written by the polling thread

    /**
     * Creates a poller.
     *
     * @param selector owned by this poller from now on
     * @param ready a selection does not wait while something is there
     * @param collector puts there what can go on, for each key that is selected
     */
    Poller(Selector selector, TaskQueue ready, Consumer<SelectionKey> collector) {
        this.selector = selector;
        this.ready = ready;
        this.collector = collector;
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

    /** Takes a channel in; its key begins without interest. */
    SelectionKey register(SelectableChannel channel, Object attachment) throws ClosedChannelException {
        return channel.register(selector, 0, attachment);
    }

    void close() throws IOException {
        selector.close();
    }
}
