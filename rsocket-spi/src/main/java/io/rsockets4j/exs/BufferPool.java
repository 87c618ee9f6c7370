/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static io.rsockets4j.exs.RegisteredMemory.LINE_BYTES;

import io.rsockets4j.core.fabric.SourceMemory;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Registered buffers of one size, to be used again and again. Each begins at a line of the processor's cache. All
 * methods are for any thread, and none blocks, but {@link #deregister} as that of {@link RegisteredMemory}.
 */
public final class BufferPool {
    private final ArrayBlockingQueue<RegisteredMemory> free;
    private final RegisteredMemory[] all;
    private final SourceMemory slab; // that they lie in

    /**
     * Makes a pool and all of its buffers.
     *
     * @param count how many, at least one
     * @param bytes the size of each, at least one; together less than 2<sup>31</sup>
     */
    public BufferPool(int count, int bytes) {
        free = new ArrayBlockingQueue<>(count);
        all = new RegisteredMemory[count];
        int apart = Math.addExact(bytes, LINE_BYTES - 1) & -LINE_BYTES;
        int together = Math.multiplyExact(count, apart);
        slab = RegisteredMemory.make(together, bytes);
        for (int i = 0; i < count; i++) {
            all[i] = RegisteredMemory.part(slab, i * apart, bytes);
            free.add(all[i]);
        }
    }

    /**
     * Takes a buffer.
     *
     * @return one that nobody else has, or null if there is none
     */
    public RegisteredMemory take() {
        return free.poll();
    }

    /**
     * Gives a buffer back.
     *
     * @param memory taken from this pool
     * @throws IllegalStateException if an operation uses it, or it was given back already
     */
    public void giveBack(RegisteredMemory memory) {
        if (memory.isUsed() || free.contains(memory) || !free.offer(memory)) {
            throw new IllegalStateException("Memory is in use, or given back already");
        }
    }

    /**
     * Lets go of all the buffers.
     *
     * @throws IllegalStateException if one has not been given back
     */
    public void deregister() {
        if (free.size() < all.length) {
            throw new IllegalStateException(all.length - free.size() + " buffers are not given back");
        }
        free.clear();
        for (RegisteredMemory memory : all) {
            memory.deregister();
        }
        slab.removeName();
    }
}
