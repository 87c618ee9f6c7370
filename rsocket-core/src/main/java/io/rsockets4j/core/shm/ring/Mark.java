/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import io.rsockets4j.core.bell.Faults;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The last page of a file of shared memory, with words that all differ. Whoever truncates the file takes it first, so
 * whoever has used any of the memory looks whether two of these are there: loads of a line of the cache that nobody
 * writes.
 *
 * <p>A JVM tells of a fault by an error, but late, and compiled code goes on with whatever a register had before, which
 * may be what the last look found there. So each look of a direction of a connection is at other words than the one
 * before. {@link #check} has the JVM throw the error there and then. Thread-safe, but where a method says otherwise.
 */
public final class Mark {
    /** Its page. */
    public static final int BYTES = SlotDescriptor.PAGE_BYTES;
    private static final Log LOG = Log.of(Mark.class);
    private static final int WORDS = 64;
    private static final int FIRST = 0x6b726100; // and each further word one more
    private static final long IN_FILE = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? FIRST
            : Long.reverseBytes(FIRST); // in the order of bytes of the network

    private final MappedFile file;
    private final int offset;
    private final ByteBuffer words;
    private volatile boolean over;

    /**
     * Looks at the end of a file.
     *
     * @param file mapped
     * @param offset of the last page
     */
    public Mark(MappedFile file, int offset) {
        this.file = file;
        this.offset = offset;
        this.words = file.witness(offset, WORDS * Long.BYTES);
    }

    /**
     * Makes the words, through the file, before the memory is used. One thread at a time.
     *
     * @throws IOException when memory is short
     */
    public void make() throws IOException {
        ByteBuffer there = ByteBuffer.allocate(WORDS * Long.BYTES).order(ByteOrder.nativeOrder());
        for (int word = 0; word < WORDS; word++) {
            there.putLong(FIRST + word);
        }
        file.write(offset, there.array());
    }

    /** Nobody makes the words anew any more: the memory was taken back and made anew without them, or is given back. */
    public void end() {
        over = true;
    }

    /** Makes the page without the words, after {@link #end}. One thread at a time. */
    void makeEmpty() throws IOException {
        file.write(offset, new byte[WORDS * Long.BYTES]);
    }

    /**
     * To be called by whoever has used the memory, before it relies on what it has read and before it returns.
     *
     * @throws TakenBackError if it was not there
     */
    public void check() {
        check(0);
    }

    /**
     * The same.
     *
     * @param turn another one each time, where a thread does this again and again
     * @throws TakenBackError if it was not there
     */
    public void check(int turn) {
        int word = turn & WORDS - 1;
        long found = look(word);
        if (found != FIRST + word) {
            missing(found);
        }
    }

    /**
     * What a word says, if another is there. One load after the other, and after all loads before. The caller hands it
     * on where it is wrong: else compilers would compare memory, and after a fault there go by flags that are old.
     */
    private long look(int word) {
        int other = word ^ WORDS / 2;
        long found = Words.getAcquire(words, other * Long.BYTES);
        return found == FIRST + other ? Words.getAcquire(words, word * Long.BYTES) : found;
    }

    /**
     * The same after the last use of a connection's memory: the peer may give the file's rings back by then, and the
     * words with them for a moment. So only a fault counts.
     *
     * @throws TakenBackError if there was one
     */
    public void checkLast() {
        long found = look(0);
        if (found != FIRST && Faults.take()) {
            throw new TakenBackError(found);
        }
    }

    private void missing(long found) {
        boolean fault = Faults.take();
        if (fault || !over) {
            throw new TakenBackError(found);
        }
    }

    /**
     * Whether all of the file is there. Once the words are over, only its size counts. One thread at a time.
     *
     * @return true also once the file is closed
     */
    public boolean isWhole() {
        if (!file.isWhole()) {
            return false;
        }
        try {
            return over || file.read(offset) == IN_FILE;
        } catch (IOException e) { // closed, or truncated just now, as the next look tells
            LOG.log(System.Logger.Level.DEBUG, "a shared file cannot be read", e);
            return true;
        }
    }
}
