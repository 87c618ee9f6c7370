/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SERVICE;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SLEEPER;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.fabric.LinkWaiters;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.ring.SlotSleeper;

/**
 * Waiters of a link over shared memory: the arm words of its slot tell the peer whom to wake. Once the link is closed
 * nobody touches them, as the slot may be another connection's by then.
 */
final class ShmWaiters extends LinkWaiters {
    private final Words inControl;
    private final Words outControl;
    private final SlotSleeper reader;
    private final SlotSleeper writer;

    /**
     * Creates the waiters of a new link: none.
     *
     * @param inControl words of the ring that this side receives on
     * @param outControl words of the ring that this side sends on
     */
    ShmWaiters(Words inControl, Words outControl) {
        this.inControl = inControl;
        this.outControl = outControl;
        reader = new SlotSleeper(inControl, READER_ARM);
        writer = new SlotSleeper(outControl, WRITER_ARM);
    }

    /** Words of the ring that this side receives on. */
    Words inControl() {
        return inControl;
    }

    /** Words of the ring that this side sends on. */
    Words outControl() {
        return outControl;
    }

    /** The one thread that may sleep in a direction. */
    SlotSleeper sleeper(int op) {
        return op == OP_READ ? reader : writer;
    }

    /** Counts a sleep until there is credit; returns what to run at its end, or null. */
    Runnable stalled() {
        return beginStall();
    }

    @Override
    protected void armed(int ops, int bell) {
        long arm = bell == 0 ? SERVICE : SLEEPER + bell;
        if ((ops & OP_READ) != 0) {
            arm(inControl, READER_ARM, arm);
        }
        if ((ops & OP_WRITE) != 0) {
            arm(outControl, WRITER_ARM, arm); // pairs with the acquire in ShmLink.receive
        }
    }

    /** Says whom to wake; if the word already names somebody else, the service thread wakes both. */
    private static void arm(Words control, int word, long arm) {
        long now;
        do {
            now = control.getOpaque(word);
            if (now == arm || now == SERVICE || now < NOBODY) {
                return; // ordered by the fence in RingLink.arm
            }
        } while (!control.compareAndSet(word, now, now == NOBODY ? arm : SERVICE));
    }

    @Override
    protected void wakeOthers() {
        reader.wake();
        writer.wake();
    }
}
