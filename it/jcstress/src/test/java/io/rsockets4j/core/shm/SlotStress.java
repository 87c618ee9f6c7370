/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIN;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAIL;
import static java.nio.channels.SelectionKey.OP_READ;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.rsockets4j.core.fabric.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Both sides close, and the slot goes to another connection. */
public class SlotStress {
    private static final Waiter NOBODY_WAITS = source -> { };

    /** The initiator, which has closed, takes a slot for its next connection while the acceptor closes. */
    @JCStressTest
    @Outcome(id = "0, .*", expect = ACCEPTABLE, desc = "the slot is not free yet")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "free: nobody writes its words any more")
    @Outcome(id = "1, .*", expect = FORBIDDEN, desc = "a word of the next connection is written by the last one")
    @State
    public static class ReuseAgainstClose extends Ends {
        public ReuseAgainstClose() {
            near.close(false);
        }

        @Actor
        public void acceptor() {
            far.close(false);
        }

        @Actor
        public void initiator(II_Result r) {
            if (near.isSlotReleased()) {
                r.r1 = 1;
                reset();
            }
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = r.r1 == 0 ? 0 : writtenWords();
        }
    }

    /** A slot that was taken again is left alone by threads that still hold its last connection. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "nobody writes the next connection's words")
    @Outcome(expect = FORBIDDEN, desc = "a word of the next connection is written by the last one")
    @State
    public static class LateArmAgainstClose extends Ends {
        public LateArmAgainstClose() {
            near.close(false);
        }

        @Actor
        public void acceptor() {
            far.close(false);
            reset(); // the initiator takes the slot at once
        }

        @Actor
        public void selector() {
            far.arm(OP_READ, NOBODY_WAITS);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = writtenWords();
        }
    }

    /** A sender rings an armed reader that closes: it learns that no one will read any more. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the next send fails as it should")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "the close is hidden by the ring")
    @State
    public static class SendAgainstClose extends Ends {
        public SendAgainstClose() {
            far.arm(OP_READ, NOBODY_WAITS);
        }

        @Actor
        public void sender() {
            send(near, 1, 7);
        }

        @Actor
        public void reader() {
            far.close(false);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = word(READER_ARM) == READER_CLOSED ? 1 : 0;
        }
    }

    /** Both sides close at once: each sees the other's end, and the slot is free. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both have ended, and the slot is free")
    @Outcome(expect = FORBIDDEN, desc = "an end is lost, or the slot is never free")
    @State
    public static class CloseAgainstClose extends Ends {
        @Actor
        public void initiator() {
            near.close(false);
        }

        @Actor
        public void acceptor() {
            far.close(false);
        }

        @Arbiter
        public void after(II_Result r) {
            boolean ended = (word(TAIL) & FIN) != 0
                    && (wordsBack.getAcquire(TAIL) & FIN) != 0;
            boolean told = word(READER_ARM) == READER_CLOSED
                    && wordsBack.getAcquire(READER_ARM) == READER_CLOSED;
            r.r1 = ended && told ? 1 : 0;
            r.r2 = near.isSlotReleased() ? 1 : 0;
        }
    }

    /** The acceptor closes: it lets go of the slot after it has told of its end. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "ended, then released")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "released before the end was told")
    @State
    public static class EndBeforeRelease extends Ends {
        @Actor
        public void acceptor() {
            far.close(false);
        }

        @Actor
        public void initiator(I_Result r) {
            boolean released = near.isSlotReleased();
            boolean ended = (wordsBack.getAcquire(TAIL) & FIN) != 0;
            r.r1 = !released || ended ? 1 : 0;
        }
    }
}
