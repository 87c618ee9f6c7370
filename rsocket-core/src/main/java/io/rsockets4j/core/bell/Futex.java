/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The kernel's futex: a thread sleeps on a word of shared memory until another thread, perhaps of another process,
 * wakes it; one system call each. Thread-safe.
 *
 * <p>The way to the kernel takes some time to load. So a separate thread loads it when the process begins to listen; in
 * a client that goes on, once a core is free; and at the latest once it has slept some times without it. Short clients
 * never do. Until then, and where the host forbids it, {@link #get} returns null and callers sleep in other ways.
 */
public final class Futex {
    private static final Log LOG = Log.of(Futex.class);
    static final int SLEEPS_BEFORE_LOAD = 256; // a process that goes on so is no short one
    private static final long IDLE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // a short client ends before
    private static final long WAIT = 0; // not the private kind: the word belongs to two processes
    private static final long WAKE = 1;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final AtomicInteger ASKED = new AtomicInteger(); // for a futex that was not loaded
    private static final AtomicBoolean WAITING = new AtomicBoolean(); // for a free core, to load it
    private static final AtomicBoolean BEGUN = new AtomicBoolean(); // to load it

    static volatile Futex loaded; // set once, by the loading thread; tests take it away
    static volatile String failure; // the same

    /**
     * The longest sleep. Before JDK 25 an interrupt may come unseen between a look at a thread's status and its sleep;
     * and a hostile peer may write into the word.
     */
    public static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final FutexCall kernel;
    private final Words longest = TimeLimit.of(LONGEST_NANOS);

    /** The kernel's struct timespec. One for each thread is made by its first shorter sleep. */
    private static final class TimeLimit {
        private static final int TIMESPEC_BYTES = 16;
        static final ThreadLocal<Words> WORDS = ThreadLocal.withInitial(() -> of(0));

        private TimeLimit() { }

        static Words of(long nanos) {
            Words timespec = new Words(ByteBuffer.allocateDirect(TIMESPEC_BYTES));
            set(timespec, nanos);
            return timespec;
        }

        static void set(Words timespec, long nanos) {
            timespec.putOpaque(0, nanos / NANOS_PER_SECOND);
            timespec.putOpaque(Long.BYTES, nanos % NANOS_PER_SECOND);
        }
    }

    Futex(FutexCall kernel) {
        this.kernel = kernel;
    }

    /**
     * The futex of this process, if it is loaded. Calls that find none have it loaded after some. Never blocks.
     *
     * @return null while there is none, perhaps for ever
     */
    public static Futex get() {
        Futex futex = loaded;
        if (futex == null && !BEGUN.get() && ASKED.incrementAndGet() >= SLEEPS_BEFORE_LOAD) {
            beginToLoad();
        }
        return futex;
    }

    /**
     * Has a thread load the futex, unless one has begun. Who listens will sleep, and has nobody to serve yet. Never
     * blocks.
     */
    public static void beginToLoad() {
        if (!BEGUN.get() && BEGUN.compareAndSet(false, true)) {
            OwnThreads.daemon("rsockets4j-futex", Futex::load).start();
        }
    }

    /**
     * Has a thread load the futex in a moment, once a core is free, unless one has begun. Who has connected may end
     * soon; and may have work for all cores, and then sleeps little. Never blocks.
     *
     * @param isCoreFree called by that thread
     */
    public static void beginToLoadOnceIdle(BooleanSupplier isCoreFree) {
        if (!WAITING.get() && !BEGUN.get() && WAITING.compareAndSet(false, true)) {
            OwnThreads.daemon("rsockets4j-futex", new OnceIdle(isCoreFree)).start();
        }
    }

    private record OnceIdle(BooleanSupplier isCoreFree) implements Runnable {
        @Override
        public void run() {
            do {
                LockSupport.parkNanos(IDLE_POLL_NANOS);
            } while (!BEGUN.get() && !isCoreFree.getAsBoolean());
            if (BEGUN.compareAndSet(false, true)) {
                load();
            }
        }
    }

    /**
     * Loads the futex now, and tells whether that worked. Blocks for up to some tenths of a second.
     *
     * @return null when there is one; or else why there is none, and what to do about it
     */
    public static String load() {
        return load(FutexCall.machine());
    }

    static synchronized String load(String machine) {
        if (loaded == null && failure == null) {
            try {
                FutexCall.number(machine); // here, as a class that fails to load tells no reason
                Futex futex = new Futex(NativeFutex.open());
                futex.tryOut();
                loaded = futex;
            } catch (Exception | LinkageError e) {
                failure = String.valueOf(e.getMessage());
                LOG.log(System.Logger.Level.DEBUG, "no futex", e);
            }
        }
        return failure;
    }

    /** Wakes nobody, to see whether the host allows the call. */
    void tryOut() {
        Words word = new Words(ByteBuffer.allocateDirect(Integer.BYTES));
        if (kernel.call(word.address(), WAKE, 1, 0) != 0) {
            throw new IllegalStateException("the host forbids the system call futex to this process");
        }
    }

    /**
     * Sleeps while a word has a value, until woken or the deadline; may return for no reason. An interrupt does not end
     * it. Blocks.
     *
     * @param address of a 32-bit word, aligned
     * @param expected returns at once when the word has another value
     * @param nanos how long at most; never longer than {@link #LONGEST_NANOS}
     */
    public void sleep(long address, int expected, long nanos) {
        if (nanos >= LONGEST_NANOS) {
            kernel.call(address, WAIT, expected, longest.address());
        } else if (nanos > 0) {
            Words limit = TimeLimit.WORDS.get();
            TimeLimit.set(limit, nanos);
            kernel.call(address, WAIT, expected, limit.address());
        }
    }

    /**
     * Wakes all who sleep on a word, of all processes.
     *
     * @param address of a 32-bit word, aligned
     * @return false where no word is there any more
     */
    public boolean wake(long address) {
        return kernel.call(address, WAKE, Integer.MAX_VALUE, 0) >= 0;
    }
}
