/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import java.util.concurrent.atomic.AtomicReference;

/** Notices two threads where only one may be. */
final class Exclusive {
    private final MemoryNetwork network;
    private final String what;
    private final AtomicReference<Thread> inside = new AtomicReference<>();

    Exclusive(MemoryNetwork network, String what) {
        this.network = network;
        this.what = what;
    }

    void enter() {
        Thread other = inside.getAndSet(Thread.currentThread());
        if (other != null) {
            network.record(Violation.Kind.CONCURRENT_USE, what + ": " + Thread.currentThread() + " while " + other);
        }
    }

    void leave() {
        inside.set(null);
    }
}
