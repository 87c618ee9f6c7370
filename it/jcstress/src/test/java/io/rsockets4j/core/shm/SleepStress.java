/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SERVICE;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.shm.ring.SlotSleeper;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * One thread changes something and rings whoever is armed; the other one arms and looks. At least one must see the
 * other, and nobody sleeps on.
 */
public class SleepStress {
    private static final Waiter NOBODY_WAITS = source -> { };
    private static final int MORE_THAN_A_QUARTER = 2_500;

    /** A selector arms while bytes come. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the bytes were seen, and the arm")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the bytes were seen, and the arm was not")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the arm was seen, and who armed is rung")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: nobody would wake")
    @State
    public static class SendAgainstArm extends Ends {
        @Actor
        public void sender() {
            send(near, 1, 7);
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

    /** A selector arms while credit comes. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the credit was seen, and the arm")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the credit was seen, and the arm was not")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the arm was seen, and who armed is rung")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: nobody would wake")
    @State
    public static class ReceiveAgainstArm extends Ends {
        public ReceiveAgainstArm() {
            send(near, RING_BYTES, 7);
        }

        @Actor
        public void receiver() {
            receive(far, MORE_THAN_A_QUARTER, 7);
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

    /** A thread is about to sleep on the arm word while bytes come: what both saw. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the bytes were seen, and the sleeper")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the bytes were seen, and the sleeper was not")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the sleeper was seen, and is woken")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: it would sleep on")
    @State
    public static class SendAgainstEnter extends Ends {
        private final SlotSleeper sleeper = new SlotSleeper(words, READER_ARM);

        @Actor
        public void sender() {
            send(near, 1, 7);
        }

        @Actor
        public void reader(II_Result r) {
            sleeper.enter();
            r.r1 = far.isReady(OP_READ) ? 1 : 0;
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = word(READER_ARM) == NOBODY ? 1 : 0;
        }
    }

    /** A thread is about to sleep while its own process changes something: a close, for example. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the close was seen, and the sleeper")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the close was seen, and the sleeper was not")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the sleeper was seen, and is woken")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: it would sleep on")
    @State
    public static class CloseAgainstEnter extends Ends {
        private final SlotSleeper sleeper =
                new ShmWaiters(words, wordsBack).sleeper(OP_READ);
        private int closing;

        @Actor
        public void closer() {
            closing = 1;
            VarHandle.fullFence(); // as in RingLink.wake
            sleeper.wake();
        }

        @Actor
        public void reader(II_Result r) {
            sleeper.enter();
            r.r1 = closing;
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = word(READER_ARM) == NOBODY ? 1 : 0;
        }
    }

    /** Looks, arms, looks again and sleeps while bytes come. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "read, after a sleep or without")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept on, though bytes were there")
    @State
    public static class SendAgainstSleep extends Ends {
        @Actor
        public void sender() {
            send(near, 1, 7);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = sleepUntilReady(far, OP_READ);
        }
    }

    /** Looks, arms, looks again and sleeps while credit comes. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "may write, after a sleep or without")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept on, though credit was there")
    @State
    public static class ReceiveAgainstSleep extends Ends {
        public ReceiveAgainstSleep() {
            send(near, RING_BYTES, 7);
        }

        @Actor
        public void receiver() {
            receive(far, MORE_THAN_A_QUARTER, 7);
        }

        @Actor
        public void sender(I_Result r) {
            r.r1 = sleepUntilReady(near, OP_WRITE);
        }
    }

    /** The peer closes while a thread falls asleep. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "saw the end, after a sleep or without")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept on, though the peer had closed")
    @State
    public static class PeersCloseAgainstSleep extends Ends {
        @Actor
        public void peer() {
            near.close(false);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = sleepUntilReady(far, OP_READ);
        }
    }

    /** Another thread of this process closes while one falls asleep. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "saw the close, after a sleep or without")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept on, though the link is closed")
    @State
    public static class OwnCloseAgainstSleep extends Ends {
        @Actor
        public void closer() {
            far.beginClose();
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = sleepUntilReady(far, OP_READ);
        }
    }

    /** A selector arms while a thread wakes by itself: the arm stays. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the service thread is to be rung")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "the selector would not be rung")
    @State
    public static class LeaveAgainstArm extends Ends {
        private final SlotSleeper sleeper = new SlotSleeper(words, READER_ARM);

        public LeaveAgainstArm() {
            sleeper.enter();
        }

        @Actor
        public void reader() {
            sleeper.leave();
        }

        @Actor
        public void selector() {
            far.arm(OP_READ, NOBODY_WAITS);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = word(READER_ARM) == SERVICE ? 1 : 0;
        }
    }

    /** A thread falls asleep where a selector arms: no arm hides the other. */
    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "the thread came first: the service thread rings both")
    @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "the selector came first: the thread is not to sleep on the word")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "the selector would not be rung")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "the selector would not be rung")
    @State
    public static class EnterAgainstArm extends Ends {
        private final SlotSleeper sleeper = new SlotSleeper(words, READER_ARM);

        @Actor
        public void reader(II_Result r) {
            r.r1 = sleeper.enter() ? 1 : 0;
        }

        @Actor
        public void selector() {
            far.arm(OP_READ, NOBODY_WAITS);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = word(READER_ARM) == SERVICE ? 2 : 1;
        }
    }
}
