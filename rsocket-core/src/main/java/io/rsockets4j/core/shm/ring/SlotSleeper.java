/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SLEEPER;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.host.Words;

/**
 * The thread that sleeps in one direction of a connection, on the arm word of its slot, so that the peer's thread wakes
 * it by one system call. {@link #enter}, look, {@link #sleep}, {@link #leave} belong to that thread, which holds the
 * direction's lock; any thread wakes it.
 */
public final class SlotSleeper {
    private final Words control;
    private final int word;
    private volatile boolean entered; // written by the sleeping thread

    /**
     * Creates a sleeper that is awake.
     *
     * @param control words of a ring
     * @param word offset of the arm word among them
     */
    public SlotSleeper(Words control, int word) {
        this.control = control;
        this.word = word;
    }

    /**
     * Announces a sleep, as a full fence.
     *
     * @return false when somebody else is named in the word: the service thread wakes both
     */
    public boolean enter() {
        entered = true; // pairs with wake
        return control.compareAndSet(word, NOBODY, SLEEPER); // pairs with the swap in ShmLink.wakePeer
    }

    /**
     * Sleeps until woken or the time is over; may return for no reason. Blocks.
     *
     * @param futex by which to sleep
     * @param nanos how long at most
     */
    public void sleep(Futex futex, long nanos) {
        futex.sleep(control.addressOfLowBits(word), (int) SLEEPER, nanos);
    }

    /** Ends what {@link #enter} began. */
    public void leave() {
        entered = false;
        if (control.getOpaque(word) == SLEEPER) {
            control.compareAndSet(word, SLEEPER, NOBODY); // saves the peer a system call
        }
    }

    /** Wakes the thread, if there is one, after what it waits for has changed. */
    public void wake() {
        if (entered) {
            // Never another's arm: the slot may be another connection's by now, whose sleeper would only look again.
            control.compareAndSet(word, SLEEPER, NOBODY);
            Futex.get().wake(control.addressOfLowBits(word));
        }
    }
}
