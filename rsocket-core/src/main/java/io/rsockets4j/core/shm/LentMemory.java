/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.SharedMemory;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The memory of this process that its peers may read where it is, instead of having it copied into a ring. As the JDK's
 * direct buffers it goes with the garbage, and no more of it is made than the heap may have; nor more than half of the
 * shared memory that there is, as rings need some too. Thread-safe.
 */
final class LentMemory {
    private static final long NANOS_BETWEEN_COLLECTIONS = TimeUnit.SECONDS.toNanos(1);
    private static final long NANOS_TO_FIND = TimeUnit.MILLISECONDS.toNanos(255);
    private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1); // the next is twice as long

    private final Rendezvous rendezvous;
    private final String bells;
    private final MemoryBudget budget;
    private final int minBytes;
    private final long maxBytes;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong used = new AtomicLong();
    private final Set<SharedMemory> named = ConcurrentHashMap.newKeySet();
    private final Set<Mapped> mapped = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<ByteBuffer> garbage = new ReferenceQueue<>();
    private final AtomicLong collectedAt = new AtomicLong(); // 0: never yet
    private volatile boolean ended;

    /** A mapping, which nobody may use any more. */
    private static final class Mapped extends PhantomReference<ByteBuffer> {
        private final SharedMemory name;
        private final int bytes;

        Mapped(ByteBuffer memory, SharedMemory name, ReferenceQueue<ByteBuffer> garbage) {
            super(memory, garbage);
            this.name = name;
            bytes = memory.capacity();
        }
    }

    /**
     * There is none yet.
     *
     * @param bells the name of this process' bells, by which its peers know it
     * @param minBytes from which size on memory is lent
     * @param maxBytes how much may be mapped at a time, besides the half of the budget
     */
    LentMemory(Rendezvous rendezvous, String bells, MemoryBudget budget, int minBytes, long maxBytes) {
        this.rendezvous = rendezvous;
        this.bells = bells;
        this.budget = budget;
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
    }

    int minBytes() {
        return minBytes;
    }

    /** Makes memory; may collect garbage, and wait some tenths of a second for that. */
    SourceMemory make(int bytes) throws IOException {
        if (ended) {
            throw new IOException("this process ends");
        }
        take(bytes);
        ByteBuffer memory;
        int number = numbers.incrementAndGet();
        Path path = rendezvous.memoryPath(bells, number);
        try {
            memory = SharedMemory.make(path, bytes);
        } catch (IOException | RuntimeException | Error e) {
            giveBack(bytes);
            throw e;
        }
        SharedMemory name = SharedMemory.named(number, path, named);
        mapped.add(new Mapped(memory, name, garbage));
        if (ended) { // after the name is there to be seen: pairs with the order in exit
            name.remove();
        }
        return new SourceMemory(memory, name, 0);
    }

    private void take(int bytes) throws PathException {
        collect();
        for (long nanos = FIRST_WAIT_NANOS; ; nanos *= 2) {
            try {
                takeNow(bytes);
                return;
            } catch (PathException e) {
                if (mapped.isEmpty() || !mayFindMore()) {
                    throw e;
                }
            }
            LockSupport.parkNanos(nanos);
            collect();
        }
    }

    /**
     * Collects garbage, unless that was done a short while ago: where all is in use, another collection would find
     * nothing either. What the last one has found comes one by one, by a thread of the JVM's own.
     *
     * @return whether something may still come
     */
    private boolean mayFindMore() {
        long last = collectedAt.get();
        long now = System.nanoTime();
        if ((last == 0 || now - last >= NANOS_BETWEEN_COLLECTIONS) && collectedAt.compareAndSet(last, now)) {
            System.gc();
            collectedAt.set(System.nanoTime()); // a collection may itself be long
            return true;
        }
        return now - collectedAt.get() < NANOS_TO_FIND;
    }

    private void takeNow(int bytes) throws PathException {
        long most = Math.min(maxBytes, budget.most() / 2);
        if (used.addAndGet(bytes) > most) {
            used.addAndGet(-bytes);
            throw new PathException(Reason.NO_MEMORY, "no more than " + most + " bytes are lent at a time");
        }
        try {
            budget.take(bytes);
        } catch (PathException e) {
            used.addAndGet(-bytes);
            throw e;
        }
    }

    private void giveBack(int bytes) {
        budget.giveBack(bytes);
        used.addAndGet(-bytes);
    }

    /** Counts what was mapped, and is garbage. */
    private void collect() {
        for (Reference<?> next = garbage.poll(); next != null; next = garbage.poll()) {
            Mapped gone = (Mapped) next;
            mapped.remove(gone);
            gone.name.remove(); // the program has not
            giveBack(gone.bytes);
        }
    }

    /** Whether peers of this fabric find some memory. */
    boolean has(SharedMemory memory) {
        return named.contains(memory);
    }

    /** The process ends. */
    void exit() {
        ended = true;
        for (SharedMemory memory : named) { // no lambda: a process that lends nothing is not to pay for one
            memory.remove();
        }
    }
}
