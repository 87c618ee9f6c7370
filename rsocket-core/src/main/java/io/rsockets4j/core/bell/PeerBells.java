/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.log.Log;
import java.nio.ByteBuffer;

/**
 * The {@link BellPage} of a peer, as those see it who ring. Thread-safe.
 *
 * <p>Any process of this user can take the memory back. Who finds another mark than at first uses it no more: from then
 * on the peer's service thread is to be woken, as for a peer that sleeps without bells. So to find that wrongly costs a
 * hop.
 */
public final class PeerBells {
    private static final Log LOG = Log.of(PeerBells.class);
    private static final int TAKEN = -1; // no state of a bell

    private final Words memory;
    private final int unmark; // the complement of the mark, as in BellPage
    private volatile boolean gone; // the memory: only ever set

    /**
     * Looks at the bells in memory.
     *
     * @param memory {@link BellPage#BYTES} long, direct
     */
    public PeerBells(ByteBuffer memory) {
        this.memory = new Words(memory);
        int found = 0;
        boolean fault;
        try {
            found = BellPage.load(this.memory, BellPage.LISTENER_MARK);
            fault = BellPage.takeErrors();
        } catch (InternalError e) {
            fault = true;
        }
        unmark = ~found;
        gone = fault;
    }

    /**
     * Wakes a bell's owner, after what it waits for has changed. Any thread.
     *
     * @param number of the bell; others than there are ring nobody
     * @return {@link Bell#ASLEEP} when it was woken, {@link Bell#ELSEWHERE} when only its own process can wake it
     */
    public int ring(int number) {
        if (number <= 0 || number >= BellPage.BELLS) {
            return Bell.AWAKE;
        }
        int offset = BellPage.offset(number);
        int state = load(offset);
        if (state == TAKEN) {
            return Bell.ELSEWHERE;
        }
        if (state != Bell.ASLEEP) {
            return state;
        }
        Futex futex = Futex.get();
        if (futex == null) {
            return Bell.ELSEWHERE;
        }
        if (!BellPage.swap(memory, offset, Bell.ASLEEP, Bell.AWAKE)) {
            return Bell.AWAKE; // somebody else has woken it
        }
        if (!futex.wake(memory.address() + offset)) { // taken back since
            BellPage.takeErrors(); // of the swap
            giveUp();
            return Bell.ELSEWHERE;
        }
        return Bell.ASLEEP;
    }

    /**
     * Whom to ring when a listener has connects to take.
     *
     * @param listener its index, as the peer's process gave it
     * @return the number of a bell, 0 for nobody; not to be trusted
     */
    public int listenerBell(int listener) {
        return Math.max(0, load(BellPage.listenerOffset(listener))); // pairs with BellPage.setListenerBell
    }

    /** A word, or {@link #TAKEN}. */
    private int load(int offset) {
        if (gone) {
            return TAKEN;
        }
        int word = TAKEN;
        boolean there;
        try {
            word = BellPage.load(memory, offset);
            there = BellPage.isMarked(memory, offset, unmark);
            if (!there) {
                BellPage.takeErrors(); // here, where it is caught if the JVM throws it on the way
            }
        } catch (InternalError e) { // of this fault, or late of another, whose memory tells at its next use
            there = BellPage.isMarkedStill(memory, offset, unmark);
        }
        if (!there) {
            giveUp();
            return TAKEN;
        }
        return word;
    }

    private void giveUp() {
        if (!gone) {
            gone = true;
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: a process of this user has taken back the memory on which"
                    + " threads of a peer sleep; its service thread wakes them from now on");
        }
    }
}
