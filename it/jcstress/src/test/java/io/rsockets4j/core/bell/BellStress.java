/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** One thread changes something and rings a bell; its owner prepares, looks, and sleeps. No ring is missed. */
public class BellStress {
    /** A bell that no other state uses meanwhile, and what its owner waits for. */
    public static class Owned {
        private static final int PAGES = 2;
        private static final int PER_PAGE = BellPage.BELLS - 1;
        private static final Bell[] BELLS = new Bell[PAGES * PER_PAGE];
        private static final PeerBells[] PEERS = new PeerBells[PAGES];
        private static final AtomicInteger STATES = new AtomicInteger();
        private static final long TOO_LONG_NANOS = Futex.LONGEST_NANOS * 9 / 10;
        private static final VarHandle NEWS;

        final Bell bell;
        /** Its page, which a peer rings. */
        final PeerBells peers;
        private int news;

        static {
            for (int i = 0; i < PAGES; i++) {
                ByteBuffer memory = ByteBuffer.allocateDirect(BellPage.BYTES).order(ByteOrder.nativeOrder());
                BellPage page = new BellPage(memory);
                PEERS[i] = new PeerBells(memory);
                for (int bell = 0; bell < PER_PAGE; bell++) {
                    BELLS[i * PER_PAGE + bell] = Bell.take(page);
                }
            }
            if (Futex.load() != null) {
                throw new IllegalStateException(Futex.load());
            }
            try {
                NEWS = MethodHandles.lookup().findVarHandle(Owned.class, "news", int.class);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        Owned() {
            int number = Math.floorMod(STATES.getAndIncrement(), BELLS.length);
            bell = BELLS[number];
            peers = PEERS[number / PER_PAGE];
            bell.awake();
        }

        /** As Session.wake sets a slot's bit, and an AcceptQueue takes a link. */
        final void change() {
            NEWS.getAndBitwiseOr(this, 1);
        }

        /** As a selector looks, and who accepts. */
        final int look() {
            return (int) NEWS.getAcquire(this);
        }

        /** Returns 1 once there are news, or 0 if a sleep went on as nobody rang. */
        final int sleepUntilNews() {
            while (look() == 0) {
                long started = System.nanoTime();
                bell.prepare(false);
                if (look() == 0) {
                    bell.sleep(Futex.get(), Long.MAX_VALUE);
                }
                bell.awake();
                if (System.nanoTime() - started > TOO_LONG_NANOS) {
                    return 0;
                }
            }
            return 1;
        }
    }

    /** A thread of the owner's process rings while the owner prepares. */
    @JCStressTest
    @Outcome(id = {"1, 1", "1, 0"}, expect = ACCEPTABLE, desc = "the news were seen")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the owner was seen, and is woken")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: it would sleep on")
    @State
    public static class RingFromWithinAgainstPrepare extends Owned {
        @Actor
        public void ringer(II_Result r) {
            change();
            r.r2 = bell.ring() == Bell.AWAKE ? 0 : 1;
        }

        @Actor
        public void owner(II_Result r) {
            bell.prepare(true);
            r.r1 = look();
        }
    }

    /** A peer rings while the owner prepares. */
    @JCStressTest
    @Outcome(id = {"1, 1", "1, 0"}, expect = ACCEPTABLE, desc = "the news were seen")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the owner was seen, and is woken")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other: it would sleep on")
    @State
    public static class PeersRingAgainstPrepare extends Owned {
        @Actor
        public void ringer(II_Result r) {
            change();
            r.r2 = peers.ring(bell.number()) == Bell.AWAKE ? 0 : 1;
        }

        @Actor
        public void owner(II_Result r) {
            bell.prepare(true);
            r.r1 = look();
        }
    }

    /** A thread of the owner's process rings while the owner falls asleep. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the news were seen, after a sleep or without")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept on")
    @State
    public static class RingFromWithinAgainstSleep extends Owned {
        @Actor
        public void ringer() {
            change();
            bell.ring();
        }

        @Actor
        public void owner(I_Result r) {
            r.r1 = sleepUntilNews();
        }
    }

    /** A peer rings while the owner falls asleep. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the news were seen, after a sleep or without")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept on")
    @State
    public static class PeersRingAgainstSleep extends Owned {
        @Actor
        public void ringer() {
            change();
            peers.ring(bell.number());
        }

        @Actor
        public void owner(I_Result r) {
            r.r1 = sleepUntilNews();
        }
    }

    /** Two threads ring an owner that sleeps elsewhere: one of them is told so, and wakes it there. */
    @JCStressTest
    @Outcome(id = {"2, 0", "0, 2"}, expect = ACCEPTABLE, desc = "one of them wakes it")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "nobody wakes it")
    @Outcome(id = "2, 2", expect = FORBIDDEN, desc = "both wake it")
    @State
    public static class TwoRingsOfWhoIsElsewhere extends Owned {
        public TwoRingsOfWhoIsElsewhere() {
            bell.prepare(true);
        }

        @Actor
        public void one(II_Result r) {
            r.r1 = bell.ring();
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = bell.ring();
        }
    }

    /** A thread rings an owner that has woken by itself and sleeps elsewhere next: it is told so, or peers are. */
    @JCStressTest
    @Outcome(id = {"1, 0", "0, 1", "1, 1"}, expect = ACCEPTABLE, desc = "it is woken, or peers see that it sleeps")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "it sleeps, and peers take it to be awake")
    @State
    public static class RingFromWithinAgainstNextPrepare extends Owned {
        public RingFromWithinAgainstNextPrepare() {
            bell.prepare(false);
        }

        @Actor
        public void ringer(II_Result r) {
            r.r2 = bell.ring() == Bell.ELSEWHERE ? 1 : 0;
        }

        @Actor
        public void owner() {
            bell.awake();
            bell.prepare(true);
        }

        @Arbiter
        public void peer(II_Result r) {
            r.r1 = peers.ring(bell.number()) == Bell.AWAKE ? 0 : 1;
        }
    }

    /** A ring while the owner wakes by itself leaves nothing that would end its next sleep for nothing, or hide it. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "awake, as every later ring finds it")
    @Outcome(expect = FORBIDDEN, desc = "taken to be asleep")
    @State
    public static class RingAgainstAwake extends Owned {
        public RingAgainstAwake() {
            bell.prepare(false);
        }

        @Actor
        public void ringer() {
            bell.ring();
        }

        @Actor
        public void owner() {
            bell.awake();
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = bell.ring() + peers.ring(bell.number());
        }
    }
}
