/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RING_CONTROL_BYTES;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection between two ends in this process: what jcstress calls a state. There are more slots than states at a
 * time, so that each state has one of its own; {@code run} sets the number of states.
 */
public class Ends {
    /** Twice the page with which a ring begins. */
    static final int RING_BYTES = 2 * FIRST_BYTES;
    /** A sleep as long as this was not ended by a ring. */
    static final long TOO_LONG_NANOS = Futex.LONGEST_NANOS * 9 / 10;
    private static final int FILES = 32;
    private static final AtomicLong STATES = new AtomicLong();
    private static final SessionPair SESSIONS;

    /** Sends on ring 0. */
    final ShmLink near;
    /** Receives on ring 0. */
    final ShmLink far;
    /** The words of ring 0. */
    final Words words;
    /** The words of ring 1. */
    final Words wordsBack;
    private final int slot;

    static {
        try {
            Path directory = Files.createTempDirectory(Path.of(System.getProperty("jcstress.directory")), "vm");
            SESSIONS = SessionPair.open(directory, RING_BYTES, FILES);
            if (Futex.load() != null) {
                throw new IllegalStateException(Futex.load());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Ends() {
        long generation = STATES.incrementAndGet(); // a slot says which one was the last to be released
        slot = (int) (generation % SESSIONS.slots());
        reset();
        near = SESSIONS.link(SESSIONS.initiator(), slot, generation);
        far = SESSIONS.link(SESSIONS.acceptor(), slot, generation);
        words = SESSIONS.ringControl(slot, 0);
        wordsBack = SESSIONS.ringControl(slot, 1);
    }

    /** Makes the slot ready for a connection, as an initiator does that takes it. */
    final void reset() {
        try {
            SESSIONS.reset(slot);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Which slot it is. */
    final int slot() {
        return slot;
    }

    /** Memory that the sender on ring 0 can lend, so many bytes for each slot. */
    static SourceMemory share(int bytes) {
        try {
            return SESSIONS.initiator().context().lentMemory().make(bytes * SESSIONS.slots());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The memory of ring 0. */
    final ByteBuffer ring() {
        SlotFile file = SESSIONS.file(slot);
        return file.ring(slot % file.slots(), 0, RING_BYTES);
    }

    /** A word of ring 0, after both actors. */
    final long word(int offset) {
        return words.getAcquire(offset);
    }

    /** How many words of both rings are not as they are at the beginning of a connection. */
    final int writtenWords() {
        int count = 0;
        for (int word = 0; word < RING_CONTROL_BYTES; word += Long.BYTES) {
            count += words.getAcquire(word) == 0 ? 0 : 1;
            count += wordsBack.getAcquire(word) == 0 ? 0 : 1;
        }
        return count;
    }

    /** Sends so many bytes, each of one value; returns how many went. */
    static int send(ShmLink link, int length, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) value);
        }
        try {
            return link.send(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Receives at most so many bytes; returns how many came, or -1000 if one of them is not of this value. */
    static int receive(ShmLink link, int length, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int count = receive(link, bytes);
        for (int i = 0; i < count; i++) {
            if (bytes.get(i) != value) {
                return -1000;
            }
        }
        return count;
    }

    /** Receives what has come; returns how many bytes. */
    static int receive(ShmLink link, ByteBuffer bytes) {
        try {
            return link.receive(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sleeps until a direction is ready; returns 1 once it is, or 0 if a sleep went on as nobody rang. */
    static int sleepUntilReady(ShmLink link, int op) {
        while (!link.isReady(op)) {
            long started = System.nanoTime();
            link.park(op, Long.MAX_VALUE);
            if (System.nanoTime() - started > TOO_LONG_NANOS) {
                return 0;
            }
        }
        return 1;
    }
}
