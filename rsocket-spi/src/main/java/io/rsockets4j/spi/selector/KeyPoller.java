/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import io.rsockets4j.core.fabric.Listener;
import io.rsockets4j.core.fabric.OutOfLine;
import io.rsockets4j.core.fabric.SelectorWaiter;
import io.rsockets4j.core.fabric.SpinHistory;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds the keys that are ready, and waits for them: polls active links, and sleeps in the inner JDK selector, which
 * watches everything else. Belongs to the selecting thread (guarded by the selector's monitor), but for {@link
 * #wakeup}, {@link #pathChanged} and {@link #waiter}.
 */
final class KeyPoller {
    private static final long FOREVER = Long.MAX_VALUE;
    private static final long CHECK_QUIET_NANOS = 50_000;
    private static final int POLLS_PER_CLOCK = 32;
    private static final OutOfLine SPIN_OR_SLEEP = new OutOfLine(MethodHandles.lookup(), "spinOrSleep", long.class);
    private static final OutOfLine SLEEP = new OutOfLine(MethodHandles.lookup(), "sleep", long.class);

    private final SpinHistory spins;
    private final SelectorWaiter waiter;
    private final ReadyKeys ready = new ReadyKeys();
    private final ActiveKeys active;
    private final JdkKeys jdkKeys;
    private final Map<Object, RSelectionKey> keysBySource = new HashMap<>();
    private final List<Listener> listeners = new ArrayList<>(); // those of the sources
    private long quietCheckedNanos = System.nanoTime();
    private volatile boolean woken; // set by any thread, cleared by the selecting one

    KeyPoller(Selector inner, SpinPolicy spinPolicy) {
        spins = new SpinHistory(spinPolicy);
        waiter = new SelectorWaiter(inner);
        active = new ActiveKeys(waiter, ready);
        jdkKeys = new JdkKeys(inner, ready);
    }

    /** Makes the selection in progress, or else the next one, return at once. Any thread. */
    void wakeup() {
        if (!woken) {
            woken = true; // volatile, before the ring: whoever drains the ring sees it
            waiter.ring(this);
        }
    }

    /** The key's channel has changed its path or state. Any thread. */
    void pathChanged(RSelectionKey key) {
        waiter.ring(key);
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
            if (source instanceof Listener listener) {
                listeners.add(listener);
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
            if (key.source instanceof Listener) {
                listeners.remove(key.source);
            }
            key.source = null;
        }
    }

    void close() throws IOException {
        waiter.close();
        jdkKeys.close();
    }

    /**
     * Finds keys that are ready, waiting for them if there are none.
     *
     * @param timeoutMillis how long to wait, negative for ever
     * @return what was found, for the caller to read and clear
     */
    ReadyKeys find(long timeoutMillis) throws IOException {
        takeRung();
        boolean found = active.poll();
        if (found ? isQuietCheckDue() : timeoutMillis == 0 || mustReturn()) {
            checkQuiet();
        } else if (!found) {
            call(SPIN_OR_SLEEP,
                    timeoutMillis < 0 ? FOREVER : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
        }
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
        boolean quiet = !jdkKeys.isEmpty() || keysBySource.size() > active.size();
        return quiet && System.nanoTime() - quietCheckedNanos > CHECK_QUIET_NANOS;
    }

    /** Looks, without waiting, at what is not polled. */
    private void checkQuiet() throws IOException {
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).look(); // rings what it finds
        }
        if (keysBySource.size() > active.size() || !listeners.isEmpty()) {
            waiter.awake();
            takeRung();
            active.poll();
        }
        if (!jdkKeys.isEmpty() || jdkKeys.hasCancelled()) {
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

    private boolean call(OutOfLine wait, long deadlineNanos) throws IOException {
        try {
            return (boolean) wait.handle().invokeExact(this, deadlineNanos);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw OutOfLine.unchecked(e);
        }
    }

    /** Waits until something may be ready; false when time is over. */
    private boolean spinOrSleep(long deadlineNanos) throws IOException {
        while (ready.isEmpty() && !mustReturn()) {
            if (active.size() > 0 && (spin(deadlineNanos) || mustReturn() || active.quietenAll())) {
                return true;
            }
            if (!call(SLEEP, deadlineNanos)) {
                return false;
            }
        }
        return true;
    }

    /** Sleeps until something may be ready; false when time is over. */
    private boolean sleep(long deadlineNanos) throws IOException {
        long millis = 0;
        if (deadlineNanos != FOREVER) {
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            millis = TimeUnit.NANOSECONDS.toMillis(left) + 1;
        }
        if (waiter.prepareToSleep()) {
            jdkKeys.select(millis);
        }
        waiter.awake();
        quietCheckedNanos = System.nanoTime();
        takeRung();
        if (active.poll()) {
            spins.slept();
        }
        return true;
    }

    private boolean spin(long deadlineNanos) throws IOException {
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
