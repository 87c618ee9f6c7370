/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What must hold for any schedule, and that the schedules find sides that lack a rule. */
class DirectStreamTest {
    private static final int SCHEDULES = 3_000;

    @Property(tries = SCHEDULES)
    void shouldHoldForAnySchedule(@ForAll("schedules") int[] schedule) {
        SimulatedStream.run(schedule, new SimulatedStream.Maker());
    }

    @Provide
    Arbitrary<int[]> schedules() {
        return Arbitraries.integers().between(0, (1 << 14) - 1).withoutEdgeCases()
                .array(int[].class).ofMinSize(2).ofMaxSize(250);
    }

    @Test
    void shouldTakeBothWays() {
        long straight = 0;
        long byRing = 0;
        int waited = 0;
        for (int seed = 0; seed < SCHEDULES; seed++) {
            SimulatedStream stream = SimulatedStream.run(random(seed), new SimulatedStream.Maker());
            straight += stream.straight();
            byRing += stream.byRing();
            waited += stream.waited();
        }
        assertThat(straight).isGreaterThan(byRing / 10);
        assertThat(byRing).isGreaterThan(straight / 10);
        assertThat(waited).isGreaterThan(SCHEDULES);
    }

    /** The sequence check of the paper: bytes that went by the ring make an advert stale. */
    @Test
    void shouldFindThatStaleAdvertsAreUsed() {
        assertThat(failuresOf(new SimulatedStream.Maker() {
            @Override
            PeerAdverts sender() {
                return new PeerAdverts() {
                    @Override
                    boolean isGood(Advert advert, long ringSent) {
                        return true;
                    }
                };
            }
        })).isGreaterThan(100);
    }

    /** The phase check: what has come by the ring and is not read belongs to the receives before. */
    @Test
    void shouldFindThatAdvertsCountWhatIsNotReadYet() {
        assertThat(failuresOf(new SimulatedStream.Maker() {
            @Override
            long ringBytes(long read, long arrived) {
                return read + 1; // as if a byte were read that is under way
            }
        })).isGreaterThan(100);
    }

    /** The new phase after a stale advert: once one is stale, the others of its count are, on both sides. */
    @Test
    void shouldFindThatTheReceiverKeepsAdvertsThatAreStale() {
        assertThat(failuresOf(new SimulatedStream.Maker() {
            @Override
            OwnAdverts receiver() {
                return new OwnAdverts() {
                    @Override
                    public void forget() { }
                };
            }
        })).isGreaterThan(100);
    }

    @Test
    void shouldFindThatTheSenderKeepsItsCountOnAnotherLink() {
        assertThat(failuresOf(new SimulatedStream.Maker() {
            @Override
            PeerAdverts sender() {
                return new PeerAdverts() {
                    @Override
                    public void resume(long position) { }
                };
            }
        })).isGreaterThan(5);
    }

    private static int failuresOf(SimulatedStream.Maker maker) {
        int failures = 0;
        for (int seed = 0; seed < SCHEDULES; seed++) {
            try {
                SimulatedStream.run(random(seed), maker);
            } catch (AssertionError | RuntimeException e) {
                failures++;
            }
        }
        return failures;
    }

    private static int[] random(int seed) {
        return new Random(seed).ints(250, 0, 1 << 14).toArray();
    }
}
