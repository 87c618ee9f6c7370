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

/** What must hold for any schedule, and that the schedules find senders that lack a rule. */
class DirectStreamTest {
    private static final int SCHEDULES = 3_000;

    @Property(tries = SCHEDULES)
    void shouldHoldForAnySchedule(@ForAll("schedules") int[] schedule) {
        SimulatedStream.run(schedule, DirectSender::new);
    }

    @Provide
    Arbitrary<int[]> schedules() {
        return Arbitraries.integers().between(0, (1 << 14) - 1).withoutEdgeCases()
                .array(int[].class).ofMinSize(2).ofMaxSize(250);
    }

    @Test
    void shouldTakeBothWays() {
        long directly = 0;
        long byRing = 0;
        int cancelledLate = 0;
        for (int seed = 0; seed < SCHEDULES; seed++) {
            SimulatedStream stream = SimulatedStream.run(random(seed), DirectSender::new);
            directly += stream.directly();
            byRing += stream.byRing();
            cancelledLate += stream.cancelledLate();
        }
        assertThat(directly).isGreaterThan(byRing / 20);
        assertThat(byRing).isGreaterThan(directly / 20);
        assertThat(cancelledLate).isGreaterThan(SCHEDULES);
    }

    @Test
    void shouldFindThatNobodyChecksSequences() {
        assertThat(failuresOf((wire, ringBytes, maxAdverts) -> new DirectSender(wire, ringBytes, maxAdverts) {
            @Override
            boolean isStale(long advertPhase, long sequence) {
                return advertPhase < phase();
            }
        })).isGreaterThan(100);
    }

    @Test
    void shouldFindThatNobodyChecksPhases() {
        assertThat(failuresOf((wire, ringBytes, maxAdverts) -> new DirectSender(wire, ringBytes, maxAdverts) {
            @Override
            boolean isStale(long advertPhase, long sequence) {
                return sequence < sent();
            }
        })).isGreaterThan(10);
    }

    @Test
    void shouldFindThatThePhaseStaysAfterAStaleAdvert() {
        assertThat(failuresOf((wire, ringBytes, maxAdverts) -> new DirectSender(wire, ringBytes, maxAdverts) {
            @Override
            long phaseAfterStale(long advertPhase) {
                return phase();
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
