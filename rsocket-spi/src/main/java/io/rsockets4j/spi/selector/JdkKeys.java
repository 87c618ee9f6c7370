/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

/**
 * The inner JDK selector: watches the JDK side of keys, and is where the selecting thread sleeps. Guarded by our
 * selector's monitor.
 */
final class JdkKeys {
    private final Selector inner;
    private final ReadyKeys ready;
    private final Consumer<SelectionKey> collector = this::collect;
    private int watched;
    private boolean cancelled; // keys of the inner selector that it has not removed yet

    JdkKeys(Selector inner, ReadyKeys ready) {
        this.inner = inner;
        this.ready = ready;
    }

    /** How many channels' JDK sides are watched. */
    int size() {
        return watched;
    }

    /** Whether any channel's JDK side is watched. */
    boolean isEmpty() {
        return watched == 0;
    }

    /** Whether {@link #selectNow} is due whatever is ready elsewhere, so that closed channels let go of descriptors. */
    boolean hasCancelled() {
        return cancelled;
    }

    /**
     * Watches a key's JDK side for its present interest. A channel that any thread closes or makes blocking meanwhile
     * is left alone: our key has been cancelled before, or is about to be.
     */
    void watch(RSelectionKey key, SelectableChannel channel) throws IOException {
        SelectionKey jdkKey = key.jdkKey;
        if (jdkKey != null && jdkKey.channel() != channel) {
            forget(key);
            jdkKey = null;
        }
        try {
            if (jdkKey != null) {
                jdkKey.interestOps(key.selectOps);
            } else {
                register(key, channel);
            }
        } catch (ClosedChannelException | CancelledKeyException | IllegalBlockingModeException e) {
            return;
        }
    }

    private void register(RSelectionKey key, SelectableChannel channel) throws IOException {
        if (cancelled) {
            selectNow(); // the channel may be registered still, by a key of ours that is gone
        }
        key.jdkKey = channel.register(inner, key.selectOps, key);
        watched++;
    }

    /** Stops watching a key's JDK side. */
    void forget(RSelectionKey key) {
        SelectionKey jdkKey = key.jdkKey;
        if (jdkKey != null) {
            jdkKey.cancel();
            key.jdkKey = null;
            watched--;
            cancelled = true;
        }
    }

    void selectNow() throws IOException {
        cancelled = false;
        inner.selectNow(collector);
    }

    /** Sleeps until a JDK channel is ready, someone wakes the inner selector, or time is over. */
    void select(long timeoutMillis) throws IOException {
        cancelled = false;
        inner.select(collector, timeoutMillis);
    }

    void close() throws IOException {
        inner.close();
    }

    private void collect(SelectionKey jdkKey) {
        RSelectionKey key = (RSelectionKey) jdkKey.attachment();
        int ops;
        try {
            ops = jdkKey.readyOps();
        } catch (CancelledKeyException e) {
            return; // closed this very moment
        }
        ready.add(key, key.fabric() == null ? ops : key.fabric().filterJdkReadyOps(ops));
    }
}
