/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps a queue from being destroyed while something is posted to it: native code would use freed memory. One thread
 * at a time posts; any thread closes. Costs a poster one full fence.
 */
final class PostGate {
    private static final VarHandle POSTING;

    static {
        try {
            POSTING = MethodHandles.lookup().findVarHandle(PostGate.class, "posting", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean posting;
    private volatile boolean closed;

    /**
     * Enters, to post.
     *
     * @return whether the queue is still there; then {@link #leave} must follow
     */
    boolean enter() {
        posting = true; // volatile, as the next load: either it sees closed, or close() sees posting
        if (!closed) {
            return true;
        }
        leave();
        return false;
    }

    /** Leaves after posting. */
    void leave() {
        POSTING.setRelease(this, false); // pairs with the load in close(): what was posted is done
    }

    /** Lets nobody in any more, and waits until who is inside has left: as long as a post takes. */
    void close() {
        closed = true; // volatile, as the next load: see enter()
        while (posting) {
            Thread.yield();
        }
    }
}
