/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Start;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final List<Api> APIS = List.of(Api.NIO, Api.SOCKET);

    @Test
    void shouldGiveEachWorkOfEachApiItsOwnJvms() {
        Plan plan = plan(false, List.of(), Works.of("roundtrip"), Works.of("connect"));

        assertThat(plan.batches()).extracting(List::size).containsExactly(3, 1, 3, 1);
        assertThat(plan.count(List.of(PathSetup.TCP))).isEqualTo(8);
    }

    @Test
    void shouldGiveEachRepetitionItsOwnJvms() {
        Plan plan = Plan.of(settings(false, List.of(), 3, Works.of("roundtrip")));

        assertThat(plan.batches()).extracting(List::size).containsExactly(3, 3, 3, 3, 3, 3);
    }

    @Test
    void shouldShareJvmsWhenQuick() {
        Plan plan = plan(true, List.of(), Works.of("roundtrip"), Works.of("connect"));

        assertThat(plan.batches()).extracting(List::size).containsExactly(3, 3);
    }

    @Test
    void shouldRunLongWorksOnceAndInFreshJvmsWhenQuick() {
        Plan plan = plan(true, List.of(), Works.of("idle"), Works.of("connect"));

        assertThat(plan.batches())
                .extracting(batch -> batch.get(0).work().name())
                .containsExactly("idle", "connect", "connect");
    }

    @Test
    void shouldTakeAskedSizesWhereTheWorkHasSeveral() {
        Plan plan = plan(false, List.of(100, 200), Works.of("stream"), Works.of("parked"));

        assertThat(plan.batches().get(0)).extracting(Job::sizeBytes).containsExactly(100, 200);
        assertThat(plan.batches().get(1)).extracting(Job::sizeBytes).containsExactly(64);
    }

    @Test
    void shouldGiveEachServiceItsOwnJvmsBeforeAllElse() {
        Job service = new Job(Works.of("service:4:closed"), Api.SELECTOR, 100, Duration.ZERO, Duration.ZERO);
        RunSettings settings = settings(true, List.of(), 2, List.of(service, service), Works.of("connect"));

        assertThat(Plan.of(settings).batches())
                .extracting(batch -> batch.get(0).work().name())
                .startsWith("service:4:closed", "service:4:closed", "service:4:closed", "service:4:closed", "connect");
    }

    @Test
    void shouldLetAllTurnsOfProgramsThatStartAndEndShareTheirServer() {
        List<List<Job>> batches = Plan.of(settings(false, List.of(), 2, Start.jobs())).batches();

        assertThat(batches).extracting(List::size).containsExactly(2, 1, 1, 1, 1, 1, 1);
        assertThat(batches.get(0)).allMatch(job -> job.work().is(Work.Trait.BY_PROGRAMS));
    }

    private static Plan plan(boolean quick, List<Integer> sizes, Work... works) {
        return Plan.of(settings(quick, sizes, 1, works));
    }

    private static RunSettings settings(boolean quick, List<Integer> sizes, int repeat, Work... works) {
        return settings(quick, sizes, repeat, List.of(), works);
    }

    private static RunSettings settings(
            boolean quick, List<Integer> sizes, int repeat, List<Job> services, Work... works) {
        return new RunSettings(
                List.of(PathSetup.TCP),
                APIS,
                List.of(works),
                services,
                sizes,
                repeat,
                Duration.ofMillis(1),
                Duration.ofMillis(1),
                quick,
                List.of(),
                new Jvms(Path.of("java"), Path.of("agent.jar"), false, List.of()));
    }
}
