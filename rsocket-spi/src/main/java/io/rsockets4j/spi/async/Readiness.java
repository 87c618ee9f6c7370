/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** What of one channel its group's poller looks for. Thread-safe. */
final class Readiness {
    private static final int MAX_TASKS = 3;

    private final Poller poller;
    private final SelectableChannel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final int[] interests = new int[MAX_TASKS]; // this and all below: set before the channel is used
    private final Task[] tasks = new Task[MAX_TASKS];
    private int size;
    private volatile SelectionKey key; // set once, under lock

    /**
     * Creates it, looking for nothing.
     *
     * @param poller the group's
     * @param channel in non-blocking mode
     */
    Readiness(Poller poller, SelectableChannel channel) {
        this.poller = poller;
        this.channel = channel;
    }

    /** Says what to run when an operation can go on. */
    void serve(int interest, Task task) {
        interests[size] = interest;
        tasks[size++] = task;
    }

    /** Has the poller look for an operation from now on. On a channel that is being closed it does nothing. */
    void expect(int op) {
        try {
            if (key == null) {
                register();
            }
            key.interestOpsOr(op);
        } catch (ClosedChannelException | CancelledKeyException | ClosedSelectorException e) {
            return; // whoever closes fails what is pending
        }
        poller.wakeup();
    }

    private void register() throws ClosedChannelException {
        lock.lock();
        try {
            if (key == null) {
                key = poller.register(channel, this);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has the poller look no more for an operation. */
    void forget(int op) {
        SelectionKey registered = key;
        if (registered == null) {
            return; // the channel was closed before
        }
        try {
            registered.interestOpsAnd(~op);
        } catch (CancelledKeyException e) {
            return; // the channel is closed
        }
    }

    /** The channel is closed: the poller lets go of it. */
    void closed() {
        if (key != null) {
            poller.wakeup();
        }
    }

    /** For the poller: queues what the channels of selected keys can go on with. */
    static Consumer<SelectionKey> collector(TaskQueue queue) {
        return key -> ((Readiness) key.attachment()).collect(key.readyOps(), queue);
    }

    private void collect(int ready, TaskQueue queue) {
        for (int i = 0; i < size; i++) {
            if ((interests[i] & ready) != 0) {
                queue.add(tasks[i]);
            }
        }
    }
}
