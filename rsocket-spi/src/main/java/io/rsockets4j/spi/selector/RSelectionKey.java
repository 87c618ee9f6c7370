/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.spi.channel.FabricChannel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.util.function.Consumer;

/**
 * A channel's registration with our selector. The fields without {@code volatile} belong to the selecting thread: they
 * are guarded by the selector's monitor.
 */
final class RSelectionKey extends AbstractSelectionKey implements FabricChannel.Watcher {
    private static final VarHandle INTEREST_OPS;

    static {
        try {
            INTEREST_OPS = MethodHandles.lookup().findVarHandle(RSelectionKey.class, "interestOps", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What the selector acts on: the interest as it was when the selection began. */
    int selectOps;
    /** What was found ready in this selection; more than 0 exactly while the key is in {@link ReadyKeys}. */
    int foundOps;
    /** Position in {@link ActiveKeys}, or -1. */
    int activeIndex = -1;
    /** The round of {@link ActiveKeys} in which the fabric was last seen ready. */
    long lastReadyRound;
    /** Whether the fabric was armed for OP_WRITE, and was not found ready for that since. */
    boolean waitsToWrite;
    /** The fabric's source that the selector knows this key by, or null. */
    Object source;
    /** The registration of the channel's JDK side with the inner selector, or null; others only cancel it. */
    volatile SelectionKey jdkKey;
    /** Position in {@link SelectedKeys}, or -1; guarded by the selected-key set's monitor. */
    int selectedIndex = -1;
    /** Whether {@link KeyUpdates} holds this key; guarded by its lock. */
    boolean updateQueued;

    private final AbstractSelector selector;
    private final AbstractSelectableChannel channel;
    private final Consumer<RSelectionKey> updates;
    private final Waiter waiter;
    private final FabricChannel fabric; // null for the JDK's own channels
    private volatile int interestOps; // any thread, by INTEREST_OPS
    private volatile int readyOps; // written by the selecting thread

    /**
     * Creates a key without interest.
     *
     * @param selector what {@link #selector} shall return
     * @param channel ours or the JDK's
     * @param updates hears when the interest has changed: the next selection takes it up
     * @param waiter the selector's: woken when the channel's path has changed, so that also a selection in progress
     *     takes it up
     */
    RSelectionKey(AbstractSelector selector, AbstractSelectableChannel channel, Consumer<RSelectionKey> updates,
            Waiter waiter) {
        this.selector = selector;
        this.channel = channel;
        this.updates = updates;
        this.waiter = waiter;
        this.fabric = channel instanceof FabricChannel ours ? ours : null;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        ensureValid();
        return interestOps;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        ensureValid();
        checkOps(ops);
        if ((int) INTEREST_OPS.getAndSet(this, ops) != ops) {
            updates.accept(this);
        }
        return this;
    }

    @Override
    public int interestOpsOr(int ops) {
        ensureValid();
        checkOps(ops);
        int before = (int) INTEREST_OPS.getAndBitwiseOr(this, ops);
        if ((before | ops) != before) {
            updates.accept(this);
        }
        return before;
    }

    @Override
    public int interestOpsAnd(int ops) {
        ensureValid();
        int before = (int) INTEREST_OPS.getAndBitwiseAnd(this, ops);
        if ((before & ops) != before) {
            updates.accept(this);
        }
        return before;
    }

    @Override
    public int readyOps() {
        ensureValid();
        return readyOps;
    }

    @Override
    public void pathChanged() {
        waiter.wake(this);
    }

    @Override
    public void releaseJdkKey() {
        SelectionKey key = jdkKey;
        if (key != null) {
            key.cancel();
        }
    }

    @Override
    public Waiter waiter() {
        return waiter;
    }

    /** The interest, whether or not the key is valid. */
    int interest() {
        return interestOps;
    }

    FabricChannel fabric() {
        return fabric;
    }

    /** The JDK channel to watch: the channel itself, or what one of ours holds, or null. */
    SelectableChannel jdkChannel() {
        return fabric == null ? channel : fabric.jdkChannel();
    }

    /** Polls the completion queue of this key's link, unless that was polled last. Returns what was polled last. */
    Object pollCompletions(Object polled) {
        if (source instanceof Link link) {
            Object completions = link.completions();
            if (completions != null && completions != polled) {
                link.poll();
                return completions;
            }
        }
        return polled;
    }

    /** What of the interest is known to be ready on the fabric. */
    int readyOnFabric() {
        int ops = selectOps;
        return ops == 0 || source == null ? 0 : fabric.fabricReadyOps(ops);
    }

    /** Whether there is any point in reporting this key: a closed channel cancels its keys only some time later. */
    boolean isLive() {
        return isValid() && channel.isOpen();
    }

    /** Begins a new ready set. */
    void setReadyOps(int ops) {
        readyOps = ops;
    }

    /**
     * Adds to the ready set.
     *
     * @return whether it grew
     */
    boolean addReadyOps(int ops) {
        int before = readyOps;
        readyOps = before | ops;
        return (ops & ~before) != 0;
    }

    private void checkOps(int ops) {
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException();
        }
    }

    private void ensureValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }
}
