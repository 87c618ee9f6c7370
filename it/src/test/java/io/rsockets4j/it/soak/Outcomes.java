/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** What became of a process' conversations. A peer that dies is no failure of a server's. Thread-safe. */
final class Outcomes implements Selecting.Listener {
    private final boolean peersMayDie;
    private final AtomicLong conversations = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    Outcomes(boolean peersMayDie) {
        this.peersMayDie = peersMayDie;
    }

    @Override
    public void done(Side side) {
        conversations.incrementAndGet();
        bytes.addAndGet(side.bytes());
    }

    @Override
    public void failed(Exception cause) {
        if (peersMayDie && cause instanceof IOException) {
            lost.incrementAndGet();
        } else {
            failures.incrementAndGet();
            cause.printStackTrace();
        }
    }

    @Override
    public String toString() {
        return "conversations=" + conversations + " bytes=" + bytes + " lost=" + lost + " failures=" + failures;
    }
}
