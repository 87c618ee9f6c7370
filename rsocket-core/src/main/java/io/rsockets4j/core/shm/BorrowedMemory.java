/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.Borrowed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** The memory of one peer that it lends to this process, as {@link LentMemory} there; mapped at first need. */
final class BorrowedMemory implements IntFunction<Borrowed> {
    private static final Log LOG = Log.of(BorrowedMemory.class);
    private static final int MAX = 64;

    private final Rendezvous rendezvous;
    private final String bells;
    private final Map<Integer, Borrowed> mapped = new LinkedHashMap<>(); // the oldest first; guarded by this

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
     * @return the peer's; null where there is none
     */
    @Override
    public synchronized Borrowed apply(int number) {
        Borrowed known = mapped.get(number);
        if (known != null) {
            return known;
        }
        forgetRemoved();
        try {
            Path path = rendezvous.memoryPath(bells, number);
            long bytes = path.toFile().length();
            if (bytes == 0 || bytes > Integer.MAX_VALUE) {
                return null;
            }
            MappedFile file = MappedFile.open(path, bytes);
            Borrowed memory = new Borrowed(file.slice(0, (int) bytes), path.toFile());
            file.leave();
            mapped.put(number, memory);
            return memory;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "what a peer lends cannot be read", e);
            return null;
        }
    }

    /** Lets go of what the peer has taken back, whose pages are there until then, and of the oldest of many. */
    private void forgetRemoved() {
        mapped.values().removeIf(memory -> !memory.file().exists());
        if (mapped.size() >= MAX) {
            mapped.remove(mapped.keySet().iterator().next());
        }
    }
}
