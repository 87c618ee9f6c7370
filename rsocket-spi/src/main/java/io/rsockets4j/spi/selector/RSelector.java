/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.spi.channel.FabricChannel;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A selector for our channels and the JDK's. This class keeps the contract: key sets, their locks, cancelled keys,
 * counts; {@link KeyPoller} finds out what is ready.
 *
 * <p>As {@link Selector} demands, a selection holds this object's monitor and then the selected-key set's, also while
 * it sleeps; nothing else here takes them but {@link #close}. Registrations and changes of interest are queued for the
 * next selection.
 */
public final class RSelector extends AbstractSelector {
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final SelectedKeys selectedKeys = new SelectedKeys(); // guarded by its own monitor
    private final KeyUpdates updates = new KeyUpdates();
    private final KeyPoller poller; // guarded by this
    private boolean selecting; // guarded by this

    /**
     * Opens a selector.
     *
     * @param provider what {@link #provider} shall return
     * @param spinPolicy how long a selection may spin before it sleeps
     * @param bell to sleep on; owned by this selector from now on
     * @throws IOException if the inner JDK selector cannot be opened
     */
    public RSelector(SelectorProvider provider, SpinPolicy spinPolicy, Bell bell) throws IOException {
        super(provider);
        Selector inner = null;
        try {
            inner = JdkProvider.get().openSelector();
        } finally {
            if (inner == null) {
                bell.release();
            }
        }
        poller = new KeyPoller(inner, spinPolicy, bell);
    }

    @Override
    public Set<SelectionKey> keys() {
        ensureOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        ensureOpen();
        return selectedKeys;
    }

    @Override
    public int select() throws IOException {
        return selectFor(null, -1);
    }

    @Override
    public int select(long timeout) throws IOException {
        return selectFor(null, checked(timeout));
    }

    @Override
    public int selectNow() throws IOException {
        return selectFor(null, 0);
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return selectFor(Objects.requireNonNull(action), -1);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        return selectFor(Objects.requireNonNull(action), checked(timeout));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return selectFor(Objects.requireNonNull(action), 0);
    }

    private static long checked(long timeout) {
        if (timeout < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeout == 0 ? -1 : timeout;
    }

    private int selectFor(Consumer<SelectionKey> action, long timeoutMillis) throws IOException {
        synchronized (this) {
            ensureOpen();
            if (selecting) {
                throw new IllegalStateException("select in progress");
            }
            selecting = true;
            try {
                synchronized (selectedKeys) {
                    return selectLocked(action, timeoutMillis);
                }
            } finally {
                selecting = false;
            }
        }
    }

    private int selectLocked(Consumer<SelectionKey> action, long timeoutMillis) throws IOException {
        removeCancelled();
        for (RSelectionKey key = updates.poll(); key != null; key = updates.poll()) {
            if (key.isValid()) {
                poller.update(key);
            }
        }
        ReadyKeys ready = find(timeoutMillis);
        try {
            removeCancelled();
            return action == null ? select(ready) : hand(ready, action);
        } finally {
            ready.clear();
        }
    }

    /** Finds keys that are ready, waiting for them if there are none; what is returned is to be cleared. */
    private ReadyKeys find(long timeoutMillis) throws IOException {
        try {
            return search(timeoutMillis);
        } catch (InternalError e) { // of a fault in mapped memory, perhaps
            if (!poller.mend()) {
                throw e;
            }
            return search(timeoutMillis);
        }
    }

    private ReadyKeys search(long timeoutMillis) throws IOException {
        if (!poller.poll(timeoutMillis == 0)) {
            long deadlineNanos = timeoutMillis < 0 ? KeyPoller.FOREVER
                    : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            boolean inTime = true;
            while (inTime && !poller.spin(deadlineNanos)) {
                begin(); // from now on an interrupt wakes this selector
                try {
                    inTime = poller.sleep(deadlineNanos);
                } finally {
                    end();
                }
            }
        }
        return poller.take();
    }

    private int select(ReadyKeys ready) {
        int updated = 0;
        for (int i = 0; i < ready.size(); i++) {
            RSelectionKey key = ready.get(i);
            int ops = readyOps(key);
            if (ops == 0) {
                continue;
            }
            if (key.selectedIndex < 0) {
                key.setReadyOps(ops);
                selectedKeys.append(key);
                updated++;
            } else if (key.addReadyOps(ops)) {
                updated++;
            }
        }
        return updated;
    }

    private int hand(ReadyKeys ready, Consumer<SelectionKey> action) {
        int handed = 0;
        for (int i = 0; i < ready.size(); i++) {
            RSelectionKey key = ready.get(i);
            int ops = readyOps(key);
            if (ops != 0) {
                key.setReadyOps(ops);
                action.accept(key);
                ensureOpen();
                handed++;
            }
        }
        return handed;
    }

    /** What was found and is of interest still: an action, or another thread, may have changed that meanwhile. */
    private static int readyOps(RSelectionKey key) {
        return key.isLive() ? key.foundOps & key.interest() : 0;
    }

    /** The cancelled-key set is looked at without its monitor first: what was cancelled before this call is seen. */
    private void removeCancelled() throws IOException {
        Set<SelectionKey> cancelled = cancelledKeys();
        if (cancelled.isEmpty()) {
            return;
        }
        synchronized (cancelled) {
            for (SelectionKey key : cancelled) {
                remove((RSelectionKey) key);
            }
            cancelled.clear();
        }
    }

    private void remove(RSelectionKey key) throws IOException {
        keys.remove(key);
        selectedKeys.remove(key);
        deregister(key); // before the inner key goes: the inner selector frees a closed channel without keys
        poller.remove(key);
        if (key.fabric() == null) {
            JdkProvider.finishClose(key.channel());
        }
    }

    @Override
    public Selector wakeup() {
        poller.wakeup();
        return this;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        if (!(channel instanceof FabricChannel) && channel.provider() != JdkProvider.get()) {
            throw new IllegalSelectorException();
        }
        RSelectionKey key = new RSelectionKey(this, channel, updates, poller.waiter());
        key.attach(attachment);
        keys.add(key);
        if (!isOpen()) {
            keys.remove(key);
            key.cancel();
            throw new ClosedSelectorException();
        }
        if (key.fabric() != null) {
            key.fabric().addWatcher(key);
        }
        key.interestOps(ops);
        return key;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        synchronized (this) {
            synchronized (selectedKeys) {
                for (SelectionKey key : keys) {
                    remove((RSelectionKey) key);
                }
                poller.close();
            }
        }
    }

    private void ensureOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }
}
