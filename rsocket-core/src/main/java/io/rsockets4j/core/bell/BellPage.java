/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bells of one process, in memory that its peers map too. Thread-safe.
 *
 * <pre>
 *      0  BELL      1,024 words of 4 bytes, a cache line each: 0 awake, 1 asleep on the word, 2 asleep elsewhere
 *  65536  LISTENER  512 words of 4 bytes, written by the owner: 0, or the bell of who waits for a listener's connects
 *  67584  end
 * </pre>
 */
public final class BellPage {
    /** How many bells a page has; number 0 is nobody's. */
    public static final int BELLS = 1024;
    /** How many listeners may name a bell. */
    public static final int LISTENERS = 512;
    static final int BELL_BYTES = 64;
    private static final int LISTENER = BELLS * BELL_BYTES;
    /** The size of a page. */
    public static final int BYTES = LISTENER + LISTENERS * Integer.BYTES;

    private static final VarHandle WORD =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final int[] free = new int[BELLS]; // guarded by lock; a stack
    private int freeCount; // guarded by lock
    private int lent; // guarded by lock; bells up to this one were lent at least once

    /**
     * Lays a page over memory.
     *
     * @param memory {@link #BYTES} long, direct, zero when the page's process made it
     */
    public BellPage(ByteBuffer memory) {
        this.memory = memory;
    }

    private static int offset(int number) {
        return number * BELL_BYTES;
    }

    long address(int number) {
        return Futex.address(memory) + offset(number);
    }

    /**
     * Lends a bell to a thread or a selector. Only in the page's own process.
     *
     * @return one that peers can ring, or an {@link Bell#unshared} one when all are lent
     */
    public Bell take() {
        lock.lock();
        try {
            if (freeCount == 0 && lent == BELLS - 1) {
                return Bell.unshared();
            }
            return new Bell(this, freeCount > 0 ? free[--freeCount] : ++lent);
        } finally {
            lock.unlock();
        }
    }

    void release(int number) {
        lock.lock();
        try {
            free[freeCount++] = number;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Wakes a bell's owner, after what it waits for has changed. Any thread of any process that maps the page.
     *
     * @param number of the bell; others than there are ring nobody
     * @return {@link Bell#ASLEEP} when it was woken, {@link Bell#ELSEWHERE} when only its own process can wake it
     */
    public int ring(int number) {
        int state = number <= 0 || number >= BELLS ? Bell.AWAKE : (int) WORD.getVolatile(memory, offset(number));
        if (state != Bell.ASLEEP) {
            return state;
        }
        Futex futex = Futex.get();
        if (futex == null) {
            return Bell.ELSEWHERE;
        }
        if (!WORD.compareAndSet(memory, offset(number), Bell.ASLEEP, Bell.AWAKE)) {
            return Bell.AWAKE; // somebody else has woken it
        }
        futex.wake(address(number));
        return Bell.ASLEEP;
    }

    void setVolatile(int number, int state) {
        WORD.setVolatile(memory, offset(number), state);
        VarHandle.fullFence(); // the announcement before the sleeper's looks: pairs with the fence of whoever rings
    }

    void setOpaque(int number, int state) {
        WORD.setOpaque(memory, offset(number), state);
    }

    /**
     * Says whom to ring when a listener has connects to take. Only in the page's own process.
     *
     * @param listener its index
     * @param number of the bell, 0 for nobody
     */
    public void setListenerBell(int listener, int number) {
        WORD.setVolatile(memory, LISTENER + listener * Integer.BYTES, number); // pairs with listenerBell
    }

    /**
     * Whom to ring when a listener has connects to take.
     *
     * @param listener its index, as the peer's process gave it
     * @return the number of a bell, 0 for nobody; not to be trusted
     */
    public int listenerBell(int listener) {
        return (int) WORD.getVolatile(memory, LISTENER + listener * Integer.BYTES);
    }
}
