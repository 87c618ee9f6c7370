/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.rendezvous;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.bell.PeerBells;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The file of this process' bells, which every peer maps. It is there from the fabric's opening until the process ends;
 * a lock on it tells others that the process lives. Immutable.
 */
public final class BellsFile {
    private static final Log LOG = Log.of(BellsFile.class);
    private static final int OWNER = 0;

    /** Files of other copies of these classes in this process. They stay open. Guarded by the class' monitor. */
    private static final Map<Path, MappedFile> OF_THIS_PROCESS = new HashMap<>();

    private final Path path;
    private final BellPage page;
    private final MappedFile file; // keeps the lock

    private BellsFile(Path path, MappedFile file) {
        this.path = path;
        this.file = file;
        this.page = new BellPage(file.slice(0, BellPage.BYTES), new Anew(file));
    }

    /**
     * The memory of bells where it was taken back: made anew or, where there is no room for it, some that no peer sees.
     * A class, as a process' first lambda costs it time.
     */
    private record Anew(MappedFile file) implements Function<byte[], ByteBuffer> {
        @Override
        public ByteBuffer apply(byte[] contents) {
            try {
                file.restore(contents);
                return file.slice(0, BellPage.BYTES);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING,
                        "rsockets4j: peers can wake this process' service thread alone: " + e);
                return ByteBuffer.allocateDirect(BellPage.BYTES).order(ByteOrder.nativeOrder()).put(0, contents);
            }
        }
    }

    /**
     * Makes the file of this process. It is shown only once it is locked: whoever finds it unlocked removes it.
     *
     * @param path where peers look for it
     * @param draft its name until then, in the same directory
     * @return there until {@link #remove}
     * @throws IOException if memory is short, or the directory cannot be used
     */
    public static BellsFile create(Path path, Path draft) throws IOException {
        MappedFile file = MappedFile.create(draft, BellPage.BYTES, MemoryBudget.unlimited());
        try {
            file.commit(0, BellPage.BYTES);
            file.holdAs(OWNER);
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
            return new BellsFile(path, file);
        } catch (IOException e) {
            MappedFile.unlink(draft);
            file.retire();
            throw e;
        }
    }

    /**
     * Maps the file of a peer, which may be this process: to close another descriptor of it would end the lock.
     *
     * @param other its path
     * @return the peer's bells
     * @throws IOException if there is no such file of this user
     */
    public PeerBells open(Path other) throws IOException {
        return other.equals(path) ? new PeerBells(file.slice(0, BellPage.BYTES)) : map(other);
    }

    /**
     * Maps the file of a peer that is not known to be this process.
     *
     * @param path of the file
     * @return the peer's bells
     * @throws IOException if there is no such file of this user
     */
    public static synchronized PeerBells map(Path path) throws IOException {
        MappedFile kept = OF_THIS_PROCESS.get(path);
        MappedFile file = kept == null ? MappedFile.open(path, BellPage.BYTES) : kept;
        PeerBells bells = new PeerBells(file.slice(0, BellPage.BYTES));
        if (kept == null) {
            leave(path, file);
        }
        return bells;
    }

    /**
     * Whether the process that made a file has ended.
     *
     * @param path of the file
     * @return false also where that cannot be told
     */
    public static synchronized boolean isLeft(Path path) {
        if (OF_THIS_PROCESS.containsKey(path)) {
            return false;
        }
        try {
            MappedFile file = MappedFile.open(path, BellPage.BYTES);
            try {
                return file.isLeftBy(OWNER);
            } finally {
                leave(path, file);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot tell whose bells these are", e);
            return false;
        }
    }

    /** Closes a file, unless that would end this very process' lock on it. */
    private static void leave(Path path, MappedFile file) {
        if (file.isHeldHere(OWNER)) {
            OF_THIS_PROCESS.put(path, file);
        } else {
            file.leave();
        }
    }

    /**
     * The bells of this process.
     *
     * @return the same page each time
     */
    public BellPage page() {
        return page;
    }

    /**
     * What peers open.
     *
     * @return a name in the directory
     */
    public String name() {
        return path.getFileName().toString();
    }

    /** Removes the file's name: the process ends. */
    public void remove() {
        MappedFile.unlink(path);
        file.leave();
    }
}
