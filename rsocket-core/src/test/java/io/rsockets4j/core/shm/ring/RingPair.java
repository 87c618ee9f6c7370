/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * Both halves of one ring over plain memory, and what a stream between them must look like. The ring lies between two
 * guards, in which no one may ever store.
 */
public final class RingPair {
    private static final int GUARD_BYTES = SlotDescriptor.PAGE_BYTES;
    private static final byte GUARD = 0x5a;

    private final ByteBuffer all;
    private final Words control = new Words(ByteBuffer.allocateDirect(SlotDescriptor.RING_CONTROL_BYTES));
    private final int capacity;
    private final ByteBuffer scratch;
    private SendRing out;
    private ReceiveRing in;
    private long sent;
    private long received;

    RingPair(int capacity) {
        this.capacity = capacity;
        this.scratch = ByteBuffer.allocate(2 * capacity);
        this.all = ByteBuffer.allocateDirect(capacity + 2 * GUARD_BYTES);
        while (all.hasRemaining()) {
            all.put(GUARD);
        }
    }

    /** Begins a new connection in the same memory, which keeps what the last one left there. */
    RingPair restart(BooleanSupplier commitWhole) {
        control.clear(SlotDescriptor.RING_CONTROL_BYTES);
        ByteBuffer memory = all.slice(GUARD_BYTES, capacity);
        out = new SendRing(control, memory.duplicate(), commitWhole);
        in = new ReceiveRing(control, memory.duplicate());
        sent = 0;
        received = 0;
        return this;
    }

    /** The words of one ring, cut from those of its slot. */
    public static Words control(Words slotControl, int ring) {
        return slotControl.slice(ring * SlotDescriptor.RING_CONTROL_BYTES, SlotDescriptor.RING_CONTROL_BYTES);
    }

    Words control() {
        return control;
    }

    SendRing out() {
        return out;
    }

    ReceiveRing in() {
        return in;
    }

    int capacity() {
        return capacity;
    }

    int inFlight() {
        return (int) (sent - received);
    }

    /** Sends the next bytes of the stream, as many as there is credit for. */
    int write(int length) throws RingCorruptedException {
        ByteBuffer src = Payload.fill(scratch.clear().limit(length), sent).flip();
        int done = out.write(src);
        if (done < 0 || done > length || src.position() != done) {
            throw new AssertionError("wrote " + done + " of " + length + ", position " + src.position());
        }
        sent += done;
        return done;
    }

    /** Receives at most so many bytes, and checks them. */
    int read(int length) throws RingCorruptedException {
        ByteBuffer dst = scratch.clear().limit(length);
        int done = in.read(dst);
        if (done < 0 || done > length || dst.position() != done) {
            throw new AssertionError("read " + done + " of " + length + ", position " + dst.position());
        }
        Payload.check(dst.flip(), received);
        received += done;
        return done;
    }

    /** Sends and receives so many bytes, no more than a page, which leaves the ring empty and further on. */
    RingPair advance(int length) throws RingCorruptedException {
        assertThat(write(length)).isEqualTo(length);
        assertThat(read(length)).isEqualTo(length);
        return this;
    }

    /** Takes the whole ring into use and leaves it empty. */
    RingPair grow() throws RingCorruptedException {
        int length = SlotDescriptor.FIRST_BYTES + 1;
        assertThat(write(length)).isEqualTo(length);
        assertThat(read(length)).isEqualTo(length);
        return this;
    }

    /** Fails if anything was stored outside of the ring. */
    void checkGuards() {
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (all.get(i) != GUARD || all.get(GUARD_BYTES + capacity + i) != GUARD) {
                throw new AssertionError("a store outside of the ring, in byte " + i + " of a guard");
            }
        }
    }
}
