/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Where a blocking accept sleeps until a link or a TCP connection arrives: a JDK selector, because only that can wait
 * for TCP and be woken. One thread at a time waits; any may close.
 */
final class AcceptWait implements Waiter {
    private static final Consumer<SelectionKey> LOOK_YOURSELF = key -> { };

    private final AcceptQueue links;
    private final Selector selector;
    private volatile boolean sleeping;

    AcceptWait(AcceptQueue links, ServerSocketChannel tcp) throws IOException {
        this.links = links;
        selector = JdkProvider.get().openSelector();
        tcp.register(selector, SelectionKey.OP_ACCEPT);
        links.addWaiter(this);
    }

    /** Sleeps until something may have arrived, this is closed, the thread is interrupted, or time is over. */
    void sleep(long deadlineNanos) throws IOException {
        sleeping = true; // volatile store before the look at the queue: pairs with ring
        try {
            if (!links.isPending()) {
                select(deadlineNanos);
            }
        } catch (ClosedSelectorException e) {
            return; // the channel is closed, as the caller will see
        } finally {
            sleeping = false;
        }
    }

    private void select(long deadlineNanos) throws IOException {
        if (deadlineNanos == Long.MAX_VALUE) {
            selector.select(LOOK_YOURSELF);
            return;
        }
        long left = deadlineNanos - System.nanoTime();
        if (left > 0) {
            selector.select(LOOK_YOURSELF, TimeUnit.NANOSECONDS.toMillis(left) + 1);
        }
    }

    @Override
    public void ring(Object source) {
        if (sleeping) { // volatile load after the link was queued: pairs with sleep
            selector.wakeup();
        }
    }

    /** Wakes the sleeper and frees the listening socket, which its registration holds. */
    void close() throws IOException {
        links.removeWaiter(this);
        selector.close();
    }
}
