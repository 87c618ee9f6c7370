/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.SelectorWaiter;
import io.rsockets4j.core.fabric.SpinHistory;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds the keys that are ready, and waits for them: polls active links, and sleeps on a bell or, with live TCP keys,
 * in the inner JDK selector, which watches everything else. Belongs to the selecting thread (guarded by the selector's
 * monitor), but for {@link #wakeup} and {@link #waiter}.
 */
final class KeyPoller {
    /** The deadline of a selection without one. */
    static final long FOREVER = Long.MAX_VALUE;
    private static final long CHECK_QUIET_NANOS = 50_000;
    private static final int POLLS_PER_CLOCK = 32;

    private final SpinHistory spins;
    private final SelectorWaiter waiter;
    private final ReadyKeys ready = new ReadyKeys();
    private final ActiveKeys active;
    private final JdkKeys jdkKeys;
    private final Map<Object, RSelectionKey> keysBySource = new HashMap<>();
    private final List<RSelectionKey> listeners = new ArrayList<>(); // the keys whose source is one
    private boolean tcpWatched; // somebody else looks at all that the inner selector watches
    private long quietCheckedNanos = System.nanoTime();
    private volatile boolean woken; // set by any thread, cleared by the selecting one

    KeyPoller(Selector inner, SpinPolicy spinPolicy, Bell bell) {
        spins = new SpinHistory(spinPolicy);
        waiter = new SelectorWaiter(inner, bell);
        active = new ActiveKeys(waiter, ready);
        jdkKeys = new JdkKeys(inner, ready);
    }

    /** Makes the selection in progress, or else the next one, return at once. Any thread. */
    void wakeup() {
        if (!woken) {
            woken = true; // volatile, before the ring: whoever drains the ring sees it
            waiter.wake(this);
        }
    }

    Waiter waiter() {
        return waiter;
    }

    /** Takes up a key's present interest. */
    void update(RSelectionKey key) throws IOException {
        key.selectOps = key.interest();
        if ((key.selectOps & SelectionKey.OP_WRITE) == 0) {
            active.endWaitToWrite(key); // polled from now on, or of no interest
        }
        attach(key);
    }

    private void attach(RSelectionKey key) throws IOException {
        SelectableChannel jdkChannel = key.jdkChannel();
        if (jdkChannel != null) {
            jdkKeys.watch(key, jdkChannel);
            tcpWatched = false;
        }
        if (key.fabric() == null) {
            return;
        }
        Object source = key.fabric().source();
        if (source != key.source) {
            forgetSource(key);
            key.source = source;
            if (source != null) {
                keysBySource.put(source, key);
            }
            if (source instanceof AcceptQueue) {
                listeners.add(key);
            }
        }
        if (source != null && key.selectOps != 0) {
            active.add(key);
        } else {
            active.remove(key);
        }
    }

    /** Forgets a key. */
    void remove(RSelectionKey key) {
        tcpWatched = false;
        active.remove(key);
        forgetSource(key);
        if (key.fabric() != null) {
            key.fabric().removeWatcher(key);
        }
        jdkKeys.forget(key);
    }

    private void forgetSource(RSelectionKey key) {
        if (key.source != null) {
            keysBySource.remove(key.source);
            if (key.source instanceof AcceptQueue) {
                listeners.remove(key);
            }
            key.source = null;
        }
    }

    void close() throws IOException {
        waiter.close();
        jdkKeys.close();
    }

    /**
     * Begins a selection: looks at what is polled, and now and then, or before it returns with nothing, at the rest.
     *
     * @param atOnce whether the selection must not wait
     * @return whether it need not wait
     */
    boolean poll(boolean atOnce) throws IOException {
        takeRung();
        boolean found = active.poll();
        if (found ? isQuietCheckDue() : atOnce || mustReturn()) {
            checkQuiet();
            return true;
        }
        return found;
    }

    /**
     * Waits without sleeping, as long as that may pay.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link #FOREVER}
     * @return whether the selection is over; otherwise it is to sleep
     */
    boolean spin(long deadlineNanos) throws IOException {
        if (!ready.isEmpty() || mustReturn()) {
            return true;
        }
        boolean over = active.size() > 0 && (spinOnActive(deadlineNanos) || mustReturn() || yieldUntilFound()
                || active.quietenAll());
        if (over && isQuietCheckDue()) {
            checkQuiet(); // a peer that always answers in time would keep all else waiting
        }
        return over;
    }

    /**
     * Looks whether a peer has taken back memory that it shares, after an error that may tell of it.
     *
     * @return whether one has; its connections are reset, and nothing faults any more
     */
    boolean mend() {
        boolean mended = waiter.mend();
        for (RSelectionKey key : listeners) {
            mended |= ((AcceptQueue) key.source).mend();
        }
        return mended;
    }

    /** Ends a selection: what was found, for the caller to read and clear. */
    ReadyKeys take() {
        woken = false;
        return ready;
    }

    private boolean mustReturn() {
        return woken || Thread.currentThread().isInterrupted();
    }

    private boolean isQuietCheckDue() {
        if (jdkKeys.hasCancelled()) {
            return true;
        }
        // a peer does not ring for a second connect, as whoever accepts looks before it sleeps
        boolean quiet = !listeners.isEmpty() || !tcpWatched && !jdkKeys.isEmpty()
                || keysBySource.size() > active.size();
        return quiet && System.nanoTime() - quietCheckedNanos > CHECK_QUIET_NANOS;
    }

    /** Looks, without waiting, at what is not polled. */
    private void checkQuiet() throws IOException {
        pollConnects(false);
        if (keysBySource.size() > active.size() || !listeners.isEmpty()) {
            waiter.awake();
            takeRung();
            active.poll();
        }
        boolean tcpClients = takeTcpClients();
        if (!tcpWatched && !jdkKeys.isEmpty() || jdkKeys.hasCancelled() || tcpClients) {
            jdkKeys.selectNow();
        }
        quietCheckedNanos = System.nanoTime();
    }

    private void takeRung() throws IOException {
        for (Object rung = waiter.next(); rung != null; rung = waiter.next()) {
            if (rung instanceof RSelectionKey key) {
                if (key.isLive()) {
                    attach(key);
                }
            } else {
                RSelectionKey key = keysBySource.get(rung);
                if (key != null && key.selectOps != 0 && key.isLive()) {
                    active.add(key);
                }
            }
        }
    }

    /**
     * Takes the connects that peers have left; those found ring this selector.
     *
     * @param arms whether it is about to sleep, so that later ones must ring it too
     */
    private boolean pollConnects(boolean arms) {
        boolean found = false;
        for (int i = 0; i < listeners.size(); i++) {
            AcceptQueue listener = (AcceptQueue) listeners.get(i).source;
            found |= (arms ? listener.arm() : listener.pollPending()) || listener.hasTcpClient();
        }
        return found;
    }

    /**
     * Sleeps until something may be ready, {@link #wakeup} is called, which an interrupt must do, or time is over.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link #FOREVER}
     * @return false when time is over
     */
    boolean sleep(long deadlineNanos) throws IOException {
        long nanos = FOREVER;
        if (deadlineNanos != FOREVER) {
            nanos = deadlineNanos - System.nanoTime();
            if (nanos <= 0) {
                if (quietCheckedNanos - deadlineNanos < 0) {
                    checkQuiet(); // the time went by while active links alone were polled
                }
                return false;
            }
        }
        tcpWatched = isTcpWatched();
        Futex futex = tcpWatched ? Futex.get() : null;
        if (futex != null && jdkKeys.hasCancelled()) {
            jdkKeys.selectNow(); // a closed channel lets go of its descriptor before this thread sleeps elsewhere
            if (!ready.isEmpty()) {
                return true;
            }
        }
        if (waiter.prepareToSleep(futex == null) && !pollConnects(true)) {
            if (futex == null) {
                jdkKeys.select(TimeUnit.NANOSECONDS.toMillis(Math.min(nanos, Futex.LONGEST_NANOS)) + 1);
            } else if (!mustReturn()) { // an interrupt after this look rings
                waiter.sleep(futex, nanos);
            }
        }
        waiter.awake();
        pollConnects(false);
        if (takeTcpClients() || jdkKeys.hasCancelled()) {
            jdkKeys.selectNow();
        }
        quietCheckedNanos = System.nanoTime();
        takeRung();
        if (active.poll()) {
            spins.slept();
        }
        return true;
    }

    /** Whether all that the inner selector watches are TCP sides of listeners, and somebody else does. */
    private boolean isTcpWatched() {
        int watched = 0;
        for (int i = 0; i < listeners.size(); i++) {
            RSelectionKey key = listeners.get(i);
            if (key.jdkKey != null && key.jdkKey.isValid()) {
                watched++;
                if (key.selectOps != 0 && !((AcceptQueue) key.source).watchTcp(
                        (ServerSocketChannel) key.jdkChannel())) {
                    return false;
                }
            }
        }
        return watched == jdkKeys.size();
    }

    /** Whoever watched has told of one and watches no more, until this thread goes to sleep again. */
    private boolean takeTcpClients() {
        boolean taken = false;
        for (int i = 0; i < listeners.size(); i++) {
            taken |= ((AcceptQueue) listeners.get(i).source).takeTcpClient();
        }
        if (taken) {
            tcpWatched = false;
        }
        return taken;
    }

    private boolean spinOnActive(long deadlineNanos) throws IOException {
        long budget = spins.begin();
        if (budget <= 0) {
            return false;
        }
        boolean found = false;
        try {
            found = poll(budget, deadlineNanos);
        } finally {
            spins.end(found);
        }
        return found;
    }

    private boolean yieldUntilFound() throws IOException {
        for (int i = 0; i < SpinHistory.YIELDS && spins.yieldTurn(i); i++) {
            takeRung();
            if (active.poll()) {
                spins.yieldPaid();
                return true;
            }
            if (mustReturn()) { // who woke this selector has rung, and that ring was taken
                return true;
            }
        }
        return false;
    }

    private boolean poll(long budgetNanos, long deadlineNanos) throws IOException {
        while (active.size() > 0 && !mustReturn()) {
            for (int i = POLLS_PER_CLOCK / active.size(); i >= 0; i--) {
                if (active.poll()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            takeRung();
            if (!spins.mayGoOn(budgetNanos) || deadlineNanos != FOREVER && deadlineNanos - System.nanoTime() <= 0) {
                return active.poll();
            }
        }
        return false;
    }
}
