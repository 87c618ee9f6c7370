/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A word on which one thread at a time of this process sleeps, and which threads of this process and of its peers ring.
 *
 * <p>The sleeper calls {@link #prepare}, looks at what it waits for, then calls {@link #sleep}, or sleeps elsewhere,
 * and calls {@link #awake}. Whoever changes what it waits for rings the bell afterwards. A wake-up too many costs
 * time, nothing else. A peer that writes into the word does no harm: wake-ups within this process use a field of their
 * own, and no sleep lasts for ever.
 */
public final class Bell {
    /** The owner is awake, or has been rung. */
    public static final int AWAKE = 0;
    /** The owner sleeps on the word, or is about to. */
    public static final int ASLEEP = 1;
    /** The owner sleeps where only its own process can wake it. */
    public static final int ELSEWHERE = 2;
    private final BellPage page;
    private final int number;
    private final AtomicInteger state; // what the word says, where nobody has taken it back, or rung
    private final AtomicBoolean released = new AtomicBoolean();

    private Bell(BellPage page, int number, AtomicInteger state) {
        this.page = page;
        this.number = number;
        this.state = state;
    }

    /**
     * Lends a bell to a thread or a selector.
     *
     * @param page the bells of this process
     * @return one that peers can ring, or an {@link #unshared} one when all are lent
     */
    public static Bell take(BellPage page) {
        AtomicInteger awake = new AtomicInteger(AWAKE);
        int number = page.take(awake);
        return number == 0 ? unshared() : new Bell(page, number, awake);
    }

    /**
     * Makes a bell that only this process rings.
     *
     * @return its number is 0
     */
    public static Bell unshared() {
        return new Bell(new BellPage(ByteBuffer.allocateDirect(BellPage.BELL_BYTES)), 0, new AtomicInteger(AWAKE));
    }

    /**
     * How peers name this bell.
     *
     * @return from 1 to {@link BellPage#BELLS} - 1, or 0: peers ring the service thread of this process
     */
    public int number() {
        return number;
    }

    /**
     * Announces that the owner is about to sleep; a full fence, so that its next looks come after. Owner only.
     *
     * @param elsewhere whether it will not {@link #sleep} here
     */
    public void prepare(boolean elsewhere) {
        int now = elsewhere ? ELSEWHERE : ASLEEP;
        state.set(now); // pairs with the look in ring; before the word, which may have to be made anew by it
        page.setVolatile(number, now); // a fence; pairs with the look in PeerBells.ring
    }

    /**
     * Sleeps until rung or the time is over; may return for no reason. Owner only, after {@code prepare(false)}.
     *
     * @param futex what {@link Futex#get} returned before {@code prepare}
     * @param nanos how long at most, or {@link Long#MAX_VALUE}
     */
    public void sleep(Futex futex, long nanos) {
        futex.sleep(page.address(number), ASLEEP, nanos);
    }

    /** Ends a sleep, or a {@link #prepare} without one. Owner only. */
    public void awake() {
        state.set(AWAKE);
        page.set(number, AWAKE); // a ring too many does no harm
    }

    /**
     * Wakes the owner from within this process, after what it waits for has changed. Any thread.
     *
     * @return where the owner was: the first caller that is told {@link #ELSEWHERE} wakes it there
     */
    public int ring() {
        int now = state.get(); // pairs with prepare
        if (now == AWAKE || !state.compareAndSet(now, AWAKE)) {
            return AWAKE; // awake, or somebody else wakes it
        }
        page.setVolatile(number, AWAKE); // before the wake: a sleeper that is not asleep yet sees it
        int next = state.get(); // the owner may be about to sleep again, and our store erased what it said of that
        if (now == ASLEEP || next == ASLEEP) {
            wake();
        }
        return next == ELSEWHERE ? ELSEWHERE : now;
    }

    /** Wakes who sleeps on the word, after it has changed. */
    private void wake() {
        Futex futex = Futex.get();
        if (!futex.wake(page.address(number))) { // taken back since: a sleeper is found again by the file, made anew
            page.set(number, AWAKE);
            futex.wake(page.address(number));
        }
    }

    /** Gives the bell back, once: later calls do nothing, as it may be lent again. The owner sleeps no more. */
    public void release() {
        if (number != 0 && released.compareAndSet(false, true)) {
            page.release(number);
        }
    }
}
