/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.SharedMemory;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory of this process that its peers may read where it is, instead of having it copied into a ring. Thread-safe.
 */
final class LentMemory {
    private final Rendezvous rendezvous;
    private final String bells;
    private final MemoryBudget budget;
    private final int minBytes;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Set<SharedMemory> named = ConcurrentHashMap.newKeySet();

    /**
     * There is none yet.
     *
     * @param bells the name of this process' bells, by which its peers know it
     * @param minBytes from which size on memory is lent
     */
    LentMemory(Rendezvous rendezvous, String bells, MemoryBudget budget, int minBytes) {
        this.rendezvous = rendezvous;
        this.bells = bells;
        this.budget = budget;
        this.minBytes = minBytes;
    }

    int minBytes() {
        return minBytes;
    }

    SharedMemory make(int bytes) throws IOException {
        int number = numbers.incrementAndGet();
        return SharedMemory.create(number, rendezvous.memoryPath(bells, number), bytes, budget, named);
    }

    /** Whether peers of this fabric find some memory. */
    boolean has(SharedMemory memory) {
        return named.contains(memory);
    }

    /** The process ends. */
    void exit() {
        named.forEach(SharedMemory::remove);
    }
}
