/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.spi.channel.FabricChannel;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A channel on a fabric that exists only here: says what it is told to, and counts what the selector asks. */
final class FakeChannel extends AbstractSelectableChannel implements FabricChannel {
    final AtomicInteger polls = new AtomicInteger();
    final AtomicInteger arms = new AtomicInteger();
    final AtomicInteger disarms = new AtomicInteger();
    final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private volatile IntConsumer atPoll = number -> { };
    private volatile Object source;
    private volatile int ready;

    FakeChannel() throws Exception {
        super(JdkProvider.get());
        configureBlocking(false);
    }

    static FakeChannel linked() throws Exception {
        FakeChannel channel = new FakeChannel();
        channel.source = new Object();
        return channel;
    }

    /** Becomes linked by a link, of which nothing else matters than that its completion queue is polled. */
    void link(Link link) {
        source = link;
    }

    /** Becomes a listener. */
    void listen(AcceptQueue queue) {
        source = queue;
    }

    /** Becomes linked, as a connect does. */
    void link() {
        source = new Object();
        watchers.forEach(Watcher::pathChanged);
    }

    /** Changes what is ready without telling anyone. */
    void setReady(int ops) {
        ready = ops;
    }

    /** Does something at each look, which is told its number, from 1. */
    void atPoll(IntConsumer action) {
        atPoll = action;
    }

    void ring() {
        watchers.forEach(watcher -> watcher.waiter().wake(source));
    }

    @Override
    public int validOps() {
        return SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;
    }

    @Override
    public SelectableChannel jdkChannel() {
        return null;
    }

    @Override
    public SelectableChannel leaveFabrics() {
        return jdkChannel();
    }

    @Override
    public Object source() {
        return source;
    }

    @Override
    public int fabricReadyOps(int ops) {
        atPoll.accept(polls.incrementAndGet());
        return ready & ops;
    }

    @Override
    public int filterJdkReadyOps(int ops) {
        return ops;
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        arms.incrementAndGet();
    }

    @Override
    public void disarm(Waiter waiter) {
        disarms.incrementAndGet();
    }

    @Override
    public void addWatcher(Watcher watcher) {
        watchers.add(watcher);
    }

    @Override
    public void removeWatcher(Watcher watcher) {
        watchers.remove(watcher);
    }

    @Override
    protected void implCloseSelectableChannel() {
        ready = validOps(); // like a link, which then answers everything with an error
        ring();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        if (block) {
            watchers.forEach(Watcher::releaseJdkKey);
        }
    }
}
