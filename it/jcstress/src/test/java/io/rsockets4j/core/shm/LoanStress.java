/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.Waiter;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Parts of a stream that the receiver copies from the sender's memory. */
public class LoanStress {
    private static final int LENT_BYTES = 3 * Ends.RING_BYTES;
    private static final int OLD = 1;
    private static final int NEW = 2;
    private static final Waiter NOBODY_WAITS = source -> { };

    /** A part for each slot. */
    private static final SourceMemory SHARED = Ends.share(LENT_BYTES);

    /** A connection whose receiver takes loans, and memory of its own to be lent. */
    public static class Lending extends Ends {
        final ByteBuffer memory;
        private final SourceMemory.Part part;

        Lending() {
            near.useRegisteredMemory();
            far.useRegisteredMemory();
            int offset = slot() * LENT_BYTES;
            memory = SHARED.whole().slice(offset, LENT_BYTES);
            part = new SourceMemory.Part(SHARED.slice(offset, LENT_BYTES), 0);
            fill(NEW);
        }

        final void fill(int value) {
            for (int i = 0; i < LENT_BYTES; i += 1024) {
                memory.put(i, (byte) value);
            }
        }

        final int lend() {
            return near.lend(memory, part) ? 1 : 0;
        }

        /** Receives what is lent; returns 1, or 0 if nothing has come, or -1000 if it is not as it was lent. */
        final int take() {
            ByteBuffer bytes = ByteBuffer.allocate(LENT_BYTES);
            int count = receive(far, bytes);
            for (int i = 0; i < count; i += 1024) {
                if (bytes.get(i) != NEW) {
                    return -1000;
                }
            }
            return count == LENT_BYTES ? 1 : count == 0 ? 0 : -1001;
        }
    }

    /** The sender takes back what is lent, and changes it, while the receiver copies it. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "taken, and both know")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "taken back, and both know")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "they count differently, or bytes came that were not lent any more")
    @State
    public static class ReclaimAgainstTake extends Lending {
        public ReclaimAgainstTake() {
            lend();
        }

        @Actor
        public void sender(II_Result r) {
            near.reclaim();
            fill(OLD);
            r.r1 = memory.position() == LENT_BYTES ? 1 : memory.position();
        }

        @Actor
        public void receiver(II_Result r) {
            r.r2 = take();
        }
    }

    /** A selector arms while a loan comes. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the loan was seen, and the arm")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the loan was seen, and the arm was not")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the arm was seen, and who armed is rung")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: nobody would wake")
    @State
    public static class LendAgainstArm extends Lending {
        @Actor
        public void sender() {
            lend();
        }

        @Actor
        public void reader(II_Result r) {
            far.arm(OP_READ, NOBODY_WAITS);
            r.r1 = far.isReady(OP_READ) ? 1 : 0;
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = word(READER_ARM) == NOBODY ? 1 : 0;
        }
    }

    /** A selector arms while a loan is taken. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the end of the loan was seen, and the arm")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the end of the loan was seen, and the arm was not")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the arm was seen, and who armed is rung")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: nobody would wake")
    @State
    public static class TakeAgainstArm extends Lending {
        public TakeAgainstArm() {
            lend();
        }

        @Actor
        public void receiver() {
            take();
        }

        @Actor
        public void sender(II_Result r) {
            near.arm(OP_WRITE, NOBODY_WAITS);
            r.r1 = near.isReady(OP_WRITE) ? 1 : 0;
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = word(WRITER_ARM) == NOBODY ? 1 : 0;
        }
    }
}
