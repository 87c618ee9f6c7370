/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.log.Log;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The bells of this process, in memory that its peers map too, as {@link PeerBells}. Thread-safe.
 *
 * <pre>
 *      0  BELL      1,024 words of 4 bytes, a cache line each: 0 awake, 1 asleep on the word, 2 asleep elsewhere
 *      4  MARK      the same, behind each bell that was ever lent: a number that changes when the page is made anew
 *  65536  LISTENER  511 words of 4 bytes, written by the owner: 0, or the bell of who waits for a listener's connects
 *  67580  MARK      of LISTENER
 *  67584  end
 * </pre>
 *
 * <p>Any process of this user can take the memory back. A JVM tells of such a fault by an error that mostly comes too
 * late to say where it was. So whoever has used a word looks whether its mark is the one that was there before. If not,
 * the owner makes the page anew, with what its bells and listeners say: nobody who sleeps need know.
 *
 * <p>Compiled code goes on after a fault with what a register had before. That may be the mark it is to be compared
 * with, spilled to the stack since. So fields hold the complement, and it is the loaded mark that is turned round.
 */
public final class BellPage {
    /** How many bells a page has; number 0 is nobody's. */
    public static final int BELLS = 1024;
    /** How many listeners may name a bell. */
    public static final int LISTENERS = 511;
    static final int BELL_BYTES = 64;
    private static final int LISTENER = BELLS * BELL_BYTES;
    static final int LISTENER_MARK = LISTENER + LISTENERS * Integer.BYTES;
    /** The size of a page. */
    public static final int BYTES = LISTENER_MARK + Integer.BYTES;
    private static final int FIRST_MARK = 0x6c6c6562;

    private static final Log LOG = Log.of(BellPage.class);
    private static volatile int rows = 1; // no constant for the compilers

    private volatile Words memory; // written under lock
    private final Function<byte[], ByteBuffer> anew; // or null
    private final ReentrantLock lock = new ReentrantLock();
    private final int[] free = new int[BELLS]; // guarded by lock; a ring, as who rings late rings a bell of before
    private int freeFirst; // guarded by lock; an index of free
    private int freeCount; // guarded by lock
    private int lent; // guarded by lock; bells up to this one were lent at least once
    private final AtomicInteger[] states = new AtomicInteger[BELLS]; // guarded by lock; by number, of who had it last
    private final int[] listenerBells = new int[LISTENERS]; // guarded by lock
    private volatile int unmark = ~FIRST_MARK; // written under lock; ~mark: of an odd one while the page is made anew

    /**
     * Lays a page over memory that nobody can take back.
     *
     * @param memory {@link #BYTES} long, direct, zero
     */
    public BellPage(ByteBuffer memory) {
        this(memory, null);
    }

    /**
     * Lays a page over memory.
     *
     * @param memory {@link #BYTES} long, direct, zero
     * @param anew gives memory in its place where somebody has taken it back, with bytes that it is given; called by
     *     one thread at a time, must not wait. Or null: nobody can
     */
    public BellPage(ByteBuffer memory, Function<byte[], ByteBuffer> anew) {
        this.memory = new Words(memory);
        this.anew = anew;
        if (memory.capacity() == BYTES) {
            this.memory.putIntVolatile(LISTENER_MARK, FIRST_MARK); // before a peer learns of the page
        }
    }

    // ---- words, of both sides

    static int offset(int number) {
        return number * BELL_BYTES;
    }

    static int listenerOffset(int listener) {
        return LISTENER + listener * Integer.BYTES;
    }

    private static int markOf(int offset) {
        return offset < LISTENER ? offset + Integer.BYTES : LISTENER_MARK;
    }

    /**
     * Whether a word was there when it was used just before: whether its mark is what it was before that.
     *
     * @param unmark the complement of that mark
     */
    static boolean isMarked(Words memory, int offset, int unmark) {
        return ~memory.getIntVolatile(markOf(offset)) == unmark;
    }

    /** The same after an error that may tell of a fault in this memory, or late of one elsewhere. */
    static boolean isMarkedStill(Words memory, int offset, int unmark) {
        try {
            boolean marked = isMarked(memory, offset, unmark);
            return !takeErrors() && marked;
        } catch (InternalError e) {
            return false;
        }
    }

    static int load(Words memory, int offset) {
        return memory.getIntVolatile(offset);
    }

    static boolean swap(Words memory, int offset, int before, int after) {
        return memory.compareAndSetInt(offset, before, after);
    }

    /**
     * Has the JVM throw the errors of faults that are known, which the program would get later. It looks for one where
     * it makes an array of arrays; Java 17 does not where a native method returns. Java 25 has one for each fault, of
     * which there are two or three. No loop: an error that comes at its end is caught by nobody in compiled code.
     *
     * @return whether there was one
     */
    static boolean takeErrors() {
        return isError() | isError() | isError();
    }

    private static boolean isError() {
        try {
            return new int[rows][rows].length != rows;
        } catch (InternalError e) {
            return true;
        }
    }

    // ---- lending

    /**
     * Lends the word of a bell, and has it say what the bell's state is.
     *
     * @param state what the word is to say, should the page be made anew
     * @return the bell's number, or 0 when all are lent
     */
    int take(AtomicInteger state) {
        lock.lock();
        try {
            if (freeCount == 0 && lent == BELLS - 1) {
                return 0;
            }
            int number = lent < BELLS - 1 ? ++lent : nextFree();
            states[number] = state;
            mark(number);
            set(number, state.get());
            return number;
        } finally {
            lock.unlock();
        }
    }

    /** The bell that was given back first. Under the lock. */
    private int nextFree() {
        int number = free[freeFirst];
        freeFirst = (freeFirst + 1) % BELLS;
        freeCount--;
        return number;
    }

    /** Marks a bell, before a peer learns of it. Under the lock. */
    private void mark(int number) {
        try {
            memory.putIntVolatile(markOf(offset(number)), ~unmark);
            takeErrors(); // here, where it is caught if the JVM throws it on the way
        } catch (InternalError e) {
            LOG.log(System.Logger.Level.DEBUG, "the memory of bells was taken back", e); // as the next store finds
        }
    }

    void release(int number) {
        lock.lock();
        try {
            free[(freeFirst + freeCount++) % BELLS] = number;
        } finally {
            lock.unlock();
        }
    }

    // ---- the owner's stores

    long address(int number) {
        return memory.address() + offset(number);
    }

    void setVolatile(int number, int state) {
        set(number, state);
        VarHandle.fullFence(); // the announcement before the sleeper's looks: pairs with the fence of whoever rings
    }

    void set(int number, int state) {
        store(offset(number), state);
    }

    /**
     * Says whom to ring when a listener has connects to take.
     *
     * @param listener its index
     * @param number of the bell, 0 for nobody
     */
    public void setListenerBell(int listener, int number) {
        lock.lock();
        try {
            listenerBells[listener] = number;
            store(listenerOffset(listener), number); // pairs with PeerBells.listenerBell
        } finally {
            lock.unlock();
        }
    }

    private void store(int offset, int value) {
        if (!isStored(offset, value)) {
            isStored(offset, value); // where the page is taken back once more, the next store makes it anew
        }
    }

    /** Stores a word; false where it was not there, but is now. */
    private boolean isStored(int offset, int value) {
        int before = unmark; // another thread may make the page anew, before the look at the mark
        Words used = memory;
        boolean there;
        try {
            used.putIntVolatile(offset, value);
            there = anew == null || isMarked(used, offset, before);
            if (!there) {
                takeErrors(); // here, where it is caught if the JVM throws it on the way
            }
        } catch (InternalError e) { // of this fault, or late of another, whose memory tells at its next use
            there = anew == null || isMarkedStill(used, offset, before);
        }
        if (!there) {
            makeAnew(offset, before);
        }
        return there;
    }

    /** Makes the page anew, unless another thread has done so since the page had a mark, or a word was not there. */
    private void makeAnew(int offset, int before) {
        lock.lock();
        try {
            if (unmark != before || isMarkedStill(memory, offset, before)) {
                return;
            }
            unmark = before - 1; // who stores meanwhile, into nothing, must not find a mark that it takes for its own
            memory = new Words(anew.apply(contents(~(before - 2))));
            unmark = before - 2;
            if (before == ~FIRST_MARK) {
                LOG.log(System.Logger.Level.WARNING, "rsockets4j: a process of this user has taken back the memory on"
                        + " which threads of this one sleep; it is made anew");
            }
        } finally {
            lock.unlock();
        }
    }

    /** What the page is to say. To be written through a file, which is no fault where that is taken back once more. */
    private byte[] contents(int newMark) {
        ByteBuffer page = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());
        for (int number = 1; number <= lent; number++) {
            page.putInt(offset(number), states[number].get());
            page.putInt(markOf(offset(number)), newMark);
        }
        for (int listener = 0; listener < LISTENERS; listener++) {
            page.putInt(listenerOffset(listener), listenerBells[listener]);
        }
        page.putInt(LISTENER_MARK, newMark);
        return page.array();
    }
}
