/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file in shared memory, mapped whole. It stays open to commit pages and, at the end, to give them back before the
 * garbage collector unmaps them.
 *
 * <p>A {@link RandomAccessFile} rather than a channel, because an interrupt would close a channel for good, and
 * programs may interrupt any thread that is inside of us. Calls to the kernel may block for a moment.
 */
public final class MappedFile {
    private static final Log LOG = Log.of(MappedFile.class);
    private static final byte[] ZEROS = new byte[64 * 1024];

    private final RandomAccessFile file;
    private final ByteBuffer memory;
    private final MemoryBudget budget;
    private final AtomicLong made = new AtomicLong(); // by this side, of the budget
    private FileLock held; // kept reachable: the JDK forgets locks that are not

    private MappedFile(RandomAccessFile file, ByteBuffer memory, MemoryBudget budget) {
        this.file = file;
        this.memory = memory;
        this.budget = budget;
    }

    /**
     * Makes a sparse file that only this user may open.
     *
     * @param path its name
     * @param bytes its size
     * @param budget what its pages count against
     * @return mapped; none of its pages is there yet
     * @throws IOException if there is such a file, or it cannot be made
     */
    public static MappedFile create(Path path, long bytes, MemoryBudget budget) throws IOException {
        Files.createFile(path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            return map(new RandomAccessFile(path.toFile(), "rw"), bytes, budget);
        } catch (IOException e) {
            unlink(path);
            throw e;
        }
    }

    /**
     * Opens a file in which this side makes no pages.
     *
     * @param path its name
     * @param bytes its size
     * @return mapped
     * @throws IOException if it is not a regular file of this user, of exactly that size
     */
    public static MappedFile open(Path path, long bytes) throws IOException {
        return open(path, bytes, MemoryBudget.unlimited());
    }

    /**
     * Opens a file whose pages both sides make.
     *
     * @param path its name
     * @param bytes its size
     * @param budget what the pages count against that this side makes
     * @return mapped
     * @throws IOException if it is not a regular file of this user, of exactly that size
     */
    public static MappedFile open(Path path, long bytes, MemoryBudget budget) throws IOException {
        Ownership.requireOwnFile(path);
        long before = Files.size(path);
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        long size = file.length();
        if (size != bytes) {
            file.close();
            if (size == 0 && before != 0) { // its process has removed it since, and this has made it anew, empty
                unlink(path);
            }
            throw new IOException(path + " has " + size + " bytes, expected " + bytes);
        }
        return map(file, bytes, budget);
    }

    private static MappedFile map(RandomAccessFile file, long bytes, MemoryBudget budget) throws IOException {
        try {
            return new MappedFile(file, FileMapping.of(file.getChannel(), bytes), budget);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Cuts a part of the memory.
     *
     * @param offset where it begins, in bytes
     * @param length its size in bytes
     * @return in the host's order of bytes; keeps the mapping
     */
    public ByteBuffer slice(int offset, int length) {
        return memory.slice(offset, length).order(ByteOrder.nativeOrder());
    }

    /**
     * Makes pages exist by writing zeros through the file. The caller lets no two threads in here at once.
     *
     * @param offset of the first byte
     * @param length in bytes
     * @throws IOException when memory is short; some of the pages may exist
     */
    public void commit(int offset, int length) throws IOException {
        budget.take(length);
        made.addAndGet(length);
        try {
            writeZeros(offset, length);
        } catch (IOException e) { // what was made of it is made again
            made.addAndGet(-length);
            budget.giveBack(length);
            throw e;
        }
    }

    private void writeZeros(int offset, int length) throws IOException {
        file.seek(offset);
        for (int done = 0; done < length; done += ZEROS.length) {
            file.write(ZEROS, 0, Math.min(ZEROS.length, length - done));
        }
    }

    /**
     * Sees to it that pages exist that the peer should have made, and zeroed: a store to one that does not exist would
     * be a fault where memory is short. They stay the peer's in all budgets. Before either side uses them.
     *
     * @param length how many bytes from the beginning on
     * @throws IOException when memory is short, which it cannot be if the peer has made them
     */
    public void requirePages(int length) throws IOException {
        writeZeros(0, length);
    }

    /**
     * Whether all of the file is there: the peer may have taken some of it back.
     *
     * @return true also once it is closed
     */
    public boolean isWhole() {
        try {
            return file.length() >= memory.capacity();
        } catch (IOException e) { // closed: nobody uses it any more
            LOG.log(System.Logger.Level.DEBUG, "a shared file has no length", e);
            return true;
        }
    }

    /**
     * Makes anew what was taken back, so that no access is a fault. The caller lets no two threads in here at once.
     *
     * @param contents the first bytes, which are stored to and whose pages are to exist; the others are zeros
     * @throws IOException when memory is short, or the file was closed; then nothing of it is there, as all can see
     */
    public void restore(byte[] contents) throws IOException {
        try {
            file.setLength(memory.capacity());
            file.seek(0);
            file.write(contents);
        } catch (IOException e) {
            file.setLength(0);
            throw e;
        }
    }

    /**
     * Reads a word of the file; where there is none, that is an error and not a fault.
     *
     * @param offset of the word, in bytes
     * @return in the order of bytes of the network
     * @throws IOException if there is none
     */
    public long read(int offset) throws IOException {
        file.seek(offset);
        return file.readLong();
    }

    /**
     * Gives all pages behind an offset back to the host; they come into being again when they are made. No thread on
     * either side may touch them meanwhile.
     *
     * @param from the first byte of them
     * @throws IOException if that fails; then the file can be used no more
     */
    public void empty(int from) throws IOException {
        file.setLength(from);
        file.setLength(memory.capacity());
        forget(from);
    }

    /**
     * Takes note that of the pages that this side has made only some are there.
     *
     * @param kept their bytes
     */
    public void forget(int kept) {
        budget.giveBack(made.getAndSet(kept) - kept);
    }

    /**
     * Holds a lock that says that this side uses the file, until it is closed or the process ends.
     *
     * @param side which of the file's locks
     * @throws IOException if someone else holds it
     */
    public void holdAs(int side) throws IOException {
        try {
            held = file.getChannel().tryLock(side, 1, false);
        } catch (OverlappingFileLockException e) {
            throw new IOException("another session uses this side of the file", e);
        }
        if (held == null) {
            throw new IOException("another process uses this side of the file");
        }
    }

    /**
     * Whether a side uses the file no more: it has closed it, or its process has ended, however that came.
     *
     * @param side which of the file's locks
     * @return false also where that cannot be told
     */
    public boolean isLeftBy(int side) {
        try (FileLock lock = file.getChannel().tryLock(side, 1, false)) {
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // both sides are this process
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot tell whether a file is still in use", e);
            return false;
        }
    }

    /**
     * Whether this very process holds a side's lock, by another descriptor. The kernel would drop it if this one were
     * closed, since such locks belong to processes.
     *
     * @param side which of the file's locks
     * @return false also where that cannot be told
     */
    public boolean isHeldHere(int side) {
        try {
            FileLock lock = file.getChannel().tryLock(side, 1, false);
            if (lock != null) {
                lock.release();
            }
            return false;
        } catch (OverlappingFileLockException e) { // which the JDK knows across class loaders
            return true;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot tell who uses a file", e);
            return false;
        }
    }

    /** Leaves the file to the other side, which may still use it. The mapping goes with GC. */
    public void leave() {
        forget(0);
        try {
            file.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a shared file could not be closed", e);
        }
    }

    /** Gives the pages back to the host; no thread on either side may touch the memory. The mapping goes with GC. */
    public void retire() {
        forget(0);
        try (file) {
            file.setLength(0);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "shared memory could not be given back", e);
        }
    }

    /**
     * Removes a name that nobody needs any more, or that no longer exists. Never fails; what goes wrong is logged.
     *
     * @param path the name
     */
    public static void unlink(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: cannot remove " + path + ": " + e);
        }
    }
}
