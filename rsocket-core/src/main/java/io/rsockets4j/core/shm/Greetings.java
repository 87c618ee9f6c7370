/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The processes that have dialled our endpoint and have not said HELLO yet: so many at most, so that who says nothing
 * takes no more than a few descriptors, and keeps others out for a moment only. Doorbell thread.
 */
final class Greetings implements Runnable {
    static final int MAX = 128;
    private static final long PATIENCE_NANOS = 100_000_000; // a process says HELLO milliseconds after it has dialled

    private final ShmContext context;
    private final Set<Greeting> waiting = new LinkedHashSet<>(); // the oldest first
    private boolean sweeping; // a sweep is scheduled

    Greetings(ShmContext context) {
        this.context = context;
    }

    /** Whether one more may be accepted now; where there are too many, the oldest goes once it had time enough. */
    boolean hasRoom() {
        if (waiting.size() < MAX) {
            return true;
        }
        Greeting oldest = waiting.iterator().next();
        if (oldest.ageNanos() < PATIENCE_NANOS) {
            return false;
        }
        oldest.failed(new IOException("no HELLO while others wait"));
        return true;
    }

    /** Begins to wait for the first frame, for as long as a handshake may take. */
    void begin(Endpoint endpoint, SocketChannel channel) {
        Greeting greeting = new Greeting(context, endpoint, this, channel);
        waiting.add(greeting);
        greeting.begin();
        if (!sweeping && !waiting.isEmpty()) {
            sweeping = true;
            context.doorbell().schedule(this, context.handshakeNanos());
        }
    }

    void remove(Greeting ended) {
        waiting.remove(ended);
    }

    /** Drops those whose time is over. */
    @Override
    public void run() {
        for (Iterator<Greeting> oldest = waiting.iterator(); oldest.hasNext(); oldest = waiting.iterator()) {
            Greeting greeting = oldest.next();
            long left = context.handshakeNanos() - greeting.ageNanos();
            if (left > 0) {
                context.doorbell().schedule(this, left);
                return;
            }
            greeting.failed(new IOException("no HELLO in time"));
        }
        sweeping = false;
    }
}
