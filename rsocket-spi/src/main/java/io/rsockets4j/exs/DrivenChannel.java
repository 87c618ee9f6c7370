/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.ReentrantLock;

/** What an {@link EventQueue} drives: a channel and its key. */
abstract class DrivenChannel {
    private static final Log LOG = Log.of(DrivenChannel.class);

    final EventQueue queue;
    final ReentrantLock lock = new ReentrantLock();
    private SelectionKey key; // lock

    DrivenChannel(EventQueue queue) {
        this.queue = queue;
    }

    /** Does what can be done now. The thread that polls the queue calls it. */
    abstract void ready();

    /** Ends the operations that are pending; idempotent. */
    public abstract void close();

    /** Closes the channel, and is no longer one of the queue's. */
    final void close(SelectableChannel channel) {
        queue.driven().remove(this);
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a socket could not be closed", e);
        }
    }

    final void register(SelectableChannel channel, int ops) throws ClosedChannelException {
        queue.driven().add(this);
        key = channel.register(queue.selector(), ops, this);
        queue.reselect();
    }

    /** Sets what the selector watches for. Holds the lock. */
    final void interest(int ops) {
        if (key.isValid() && key.interestOps() != ops) {
            key.interestOps(ops);
            queue.reselect();
        }
    }

    /** Adds to what the selector watches for. Holds the lock. */
    final void watch(int ops) {
        if (key.isValid()) {
            interest(key.interestOps() | ops);
        }
    }
}
