/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A listener that some fabrics offer before TCP listens. Clients may come at once, and wait in the queue. Used by one
 * thread.
 */
public final class Announcement implements AutoCloseable {
    private static final Log LOG = EngineLog.LOG;
    /** A look at who listens counts for a millisecond, and a client needs a moment from there to its connect by TCP. */
    private static final long WAIT_NANOS = 2_000_000;
    /** Where more threads run than there are cores, a client may lose its core in that moment, for some of these. */
    private static final int MAX_WAITS = 8;

    private final AcceptQueue queue;
    private final List<Fabric> fabrics = new ArrayList<>(2); // that offer it
    private boolean listening; // TCP too, so that the listener has the queue

    Announcement(AcceptQueue queue) {
        this.queue = queue;
    }

    /** Has a fabric offer it now, if that fabric can; {@link Engine#listen} asks the others later. */
    void announce(Fabric fabric, Fabric.ListenRequest request) {
        try {
            ListenOffer offer = fabric.announce(request, queue);
            if (offer != null) {
                queue.add(offer);
                fabrics.add(fabric);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: not announced on " + fabric.name(), e);
        }
    }

    /**
     * Waits until clients that looked before the announcement have connected by TCP, to nobody.
     *
     * @param isCoreFree whether every thread of the machine that wants a core has one, now
     */
    void awaitEarlyConnects(BooleanSupplier isCoreFree) {
        if (!fabrics.isEmpty()) {
            int left = MAX_WAITS;
            do {
                LockSupport.parkNanos(WAIT_NANOS);
                left--;
            } while (left > 0 && !isCoreFree.getAsBoolean());
        }
    }

    boolean has(Fabric fabric) {
        return fabrics.contains(fabric);
    }

    AcceptQueue queue() {
        return queue;
    }

    /** TCP listens there, and the queue is the listener's: {@link #close} does nothing any more. */
    AcceptQueue listening() {
        listening = true;
        return queue;
    }

    /**
     * Withdraws it, unless {@link Engine#listen} has completed it: TCP does not listen there. Clients that have come
     * meanwhile are reset.
     */
    @Override
    public void close() {
        if (!listening) {
            queue.close();
        }
    }
}
