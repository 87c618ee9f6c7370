/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** How the channels of a kind fail, by which threads wait for events. Thread-safe. */
final class ChannelFault {
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private final List<Runnable> wakeUps = new CopyOnWriteArrayList<>();

    /** Wakes whoever waits. */
    void add(Runnable wakeUp) {
        wakeUps.add(wakeUp);
    }

    void set(Throwable newFault) {
        fault.set(newFault);
        wakeUps.forEach(Runnable::run);
    }

    /** Throws an error once, and an exception again and again. */
    void check() throws IOException {
        Throwable now = fault.get();
        if (now instanceof Error error && fault.compareAndSet(now, null)) {
            throw error;
        }
        if (now instanceof IOException failure) {
            throw failure;
        }
    }
}
