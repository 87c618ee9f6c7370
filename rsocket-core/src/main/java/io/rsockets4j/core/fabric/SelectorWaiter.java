/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.Futex;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The waiter of one selector, which sleeps on a {@link Bell} or, where it watches TCP, in a JDK selector of its own.
 *
 * <p>Threads of this process call {@link #wake}. Peers leave a note of the link in their session, and ring the bell;
 * {@link #awake} collects the notes. Both end in one list of rung sources.
 *
 * <p>The selecting thread does: arm quiet sources, {@link #prepareToSleep}, look at them once more, {@link #sleep} or
 * {@code inner.select}, {@link #awake}, then {@link #next} until null. All but {@link #wake} and {@link #bell} belong
 * to that thread.
 */
public final class SelectorWaiter implements Waiter {
    private final Selector inner;
    private final Bell bell;
    private final ConcurrentLinkedQueue<Object> rungSources = new ConcurrentLinkedQueue<>();
    private final List<RungLinks> peers = new ArrayList<>();

    /**
     * Creates a waiter for a selector without keys.
     *
     * @param inner the JDK selector to sleep in and to wake
     * @param bell owned by this waiter from now on
     */
    public SelectorWaiter(Selector inner, Bell bell) {
        this.inner = inner;
        this.bell = bell;
    }

    @Override
    public void wake(Object source) {
        rungSources.add(source);
        if (bell.ring() == Bell.ELSEWHERE) { // pairs with prepareToSleep, which announces and then looks at the list
            inner.wakeup();
        }
    }

    @Override
    public int bell() {
        return bell.number();
    }

    /** By the selecting thread, which collects them in {@link #awake}. */
    @Override
    public void expectNotes(RungLinks peer) {
        for (int i = peers.size() - 1; i >= 0; i--) {
            if (peers.get(i) == peer) {
                return;
            }
        }
        peers.add(peer);
    }

    /**
     * Announces that the selecting thread is about to sleep.
     *
     * @param elsewhere whether it sleeps in the inner selector rather than on the bell
     * @return false when something has been rung already: do not sleep
     */
    public boolean prepareToSleep(boolean elsewhere) {
        bell.prepare(elsewhere);
        boolean quiet = rungSources.isEmpty();
        for (int i = 0; i < peers.size(); i++) {
            quiet &= !peers.get(i).isRung();
        }
        return quiet;
    }

    /**
     * Sleeps on the bell.
     *
     * @param futex to sleep by
     * @param nanos how long at most, or {@link Long#MAX_VALUE}
     */
    public void sleep(Futex futex, long nanos) {
        bell.sleep(futex, nanos);
    }

    /** Ends a sleep, or a {@link #prepareToSleep} that was not followed by one, and collects what was rung. */
    public void awake() {
        bell.awake();
        for (int i = peers.size() - 1; i >= 0; i--) {
            RungLinks peer = peers.get(i);
            if (peer.isOver()) {
                peers.remove(i); // its links were rung one by one
            } else {
                peer.collect();
            }
        }
    }

    /**
     * Looks whether a peer has taken back memory that it shares: see {@link RungLinks#mend}.
     *
     * @return whether one has
     */
    public boolean mend() {
        boolean mended = false;
        for (int i = 0; i < peers.size(); i++) {
            mended |= peers.get(i).mend();
        }
        return mended;
    }

    /**
     * Takes one rung source.
     *
     * @return a {@link Link} or {@link AcceptQueue}, or null when none is left
     */
    public Object next() {
        return rungSources.poll();
    }

    /** Gives the bell back. The selector is closed or closing. */
    public void close() {
        bell.release();
        peers.clear();
    }
}
