/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The waiter of one selector, which sleeps in a JDK selector of its own.
 *
 * <p>Rings come by two ways: from threads of this process ({@link #ring}), which wake the inner selector, and straight
 * from peers through {@link DirectDoorbell}s registered with the inner selector. Both end in one list of rung sources.
 *
 * <p>The selecting thread does: arm quiet sources, {@link #prepareToSleep}, look at them once more, {@code
 * inner.select}, {@link #awake}, then {@link #next} until null. All but {@link #ring} belong to that thread.
 */
public final class SelectorWaiter implements Waiter {
    private final Selector inner;
    private final ConcurrentLinkedQueue<Object> rungSources = new ConcurrentLinkedQueue<>();
    private final List<DirectDoorbell> doorbells = new ArrayList<>();
    private final Map<Object, DirectDoorbell> doorbellsByOrigin = new IdentityHashMap<>();
    private volatile boolean sleeping;

    /**
     * Creates a waiter without direct doorbells.
     *
     * @param inner the JDK selector to sleep in and to wake
     */
    public SelectorWaiter(Selector inner) {
        this.inner = inner;
    }

    @Override
    public void ring(Object source) {
        rungSources.add(source);
        if (sleeping) { // volatile: pairs with prepareToSleep, which stores it and then looks at the list
            inner.wakeup();
        }
    }

    /**
     * Notes a source as rung. For {@link DirectDoorbell#awake}, on the selecting thread.
     *
     * @param source a {@link Link}
     */
    public void rung(Object source) {
        rungSources.add(source);
    }

    /**
     * Registers a direct doorbell with the inner selector.
     *
     * @param origin what the doorbell belongs to, in its fabric
     * @param doorbell owned by this waiter from now on
     * @throws IOException if its channel is closed
     */
    public void attach(Object origin, DirectDoorbell doorbell) throws IOException {
        doorbell.channel().register(inner, SelectionKey.OP_READ, doorbell);
        doorbells.add(doorbell);
        doorbellsByOrigin.put(origin, doorbell);
    }

    /**
     * Finds a doorbell that was attached.
     *
     * @param origin what it belongs to
     * @return null when none was
     */
    public DirectDoorbell doorbell(Object origin) {
        return doorbellsByOrigin.get(origin);
    }

    /**
     * Whether a key of the inner selector is a doorbell's rather than a program's channel's.
     *
     * @param innerKey a key of the inner selector
     * @return true for doorbells: {@link #awake} serves them
     */
    public boolean isDoorbell(SelectionKey innerKey) {
        return innerKey.attachment() instanceof DirectDoorbell;
    }

    /**
     * Announces that the selecting thread is about to sleep.
     *
     * @return false when something has been rung already: do not sleep
     */
    public boolean prepareToSleep() {
        sleeping = true; // volatile store before the loads below: pairs with ring
        boolean quiet = rungSources.isEmpty();
        for (int i = 0; i < doorbells.size(); i++) {
            quiet &= doorbells.get(i).prepareToSleep();
        }
        return quiet;
    }

    /** Ends a sleep, or a {@link #prepareToSleep} that was not followed by one, and collects what was rung. */
    public void awake() {
        sleeping = false;
        for (int i = doorbells.size() - 1; i >= 0; i--) {
            DirectDoorbell doorbell = doorbells.get(i);
            doorbell.awake(this);
            if (!doorbell.channel().isOpen()) { // its fabric has closed it: the peer has gone
                doorbells.remove(i);
                doorbellsByOrigin.values().remove(doorbell);
            }
        }
    }

    /**
     * Takes one rung source.
     *
     * @return a {@link Link} or {@link Listener}, or null when none is left
     */
    public Object next() {
        return rungSources.poll();
    }

    /** Gives all direct doorbells back. The selector is closed or closing. */
    public void close() {
        doorbells.forEach(DirectDoorbell::release);
        doorbells.clear();
        doorbellsByOrigin.clear();
    }
}
