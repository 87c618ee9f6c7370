/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.rsockets4j.core.host.SharedMemory;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.Borrowed;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** The memory of one peer that it lends to this process, as {@link LentMemory} there; mapped at first need. */
final class BorrowedMemory implements IntFunction<Borrowed> {
    private static final Log LOG = Log.of(BorrowedMemory.class);
    private static final int MAX = 256;
    private static final float LOAD = 0.75f;

    private final Rendezvous rendezvous;
    private final String bells;
    private final Map<Integer, Borrowed> mapped = new LinkedHashMap<>(MAX, LOAD, true); // guarded by this

    /**
     * Nothing is mapped yet.
     *
     * @param bells the name of the peer's bells
     */
    BorrowedMemory(Rendezvous rendezvous, String bells) {
        this.rendezvous = rendezvous;
        this.bells = bells;
    }

    /**
     * Memory by its number. Any thread; maps it where it is not yet.
     *
     * @return the peer's; {@link Borrowed#LATER} where this process lacks something for it, {@link Borrowed#NONE} where
     *     what has that name is no such memory, null where nothing has
     */
    @Override
    public synchronized Borrowed apply(int number) {
        Borrowed known = mapped.get(number);
        if (known != null) {
            return known;
        }
        forgetRemoved();
        Path path = rendezvous.memoryPath(bells, number);
        try {
            Borrowed memory = new Borrowed(SharedMemory.map(path), path.toFile());
            if (mapped.size() >= MAX) {
                mapped.remove(mapped.keySet().iterator().next()); // the one that was not used for longest
            }
            mapped.put(number, memory);
            return memory;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "what a peer lends cannot be read", e);
            return Files.notExists(path, NOFOLLOW_LINKS) ? null : isLack(path, e) ? Borrowed.LATER : Borrowed.NONE;
        }
    }

    /** Whether a readable file cannot be opened, for want of a descriptor, or mapped, for want of room. */
    private static boolean isLack(Path path, IOException cause) {
        return cause instanceof FileNotFoundException && path.toFile().canRead()
                || cause.getCause() instanceof OutOfMemoryError;
    }

    /** Lets go of what the peer has taken back, whose pages are there until then. */
    synchronized void forgetRemoved() {
        mapped.values().removeIf(memory -> !memory.file().exists());
    }
}
