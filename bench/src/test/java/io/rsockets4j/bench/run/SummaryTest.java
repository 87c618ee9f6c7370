/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryTest {

    @Test
    void shouldFindCountsAmongOtherLines() {
        List<String> lines = List.of("a warning", "rsockets4j: connections shm=3 tcp=1", "bye");

        assertThat(Summary.find(lines)).contains(new Summary(Map.of("shm", 3L, "tcp", 1L)));
    }

    @Test
    void shouldTakeTheLastSummary() {
        List<String> lines = List.of("rsockets4j: connections tcp=1", "rsockets4j: connections shm=2");

        assertThat(Summary.find(lines)).contains(new Summary(Map.of("shm", 2L)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "rsockets4j: connections shm",
                "rsockets4j: connections shm=x",
                "x rsockets4j: connections shm=1",
                "rsockets4j: connections shm=1, tcp=2"
            })
    void shouldNotTakeOtherLinesForASummary(String line) {
        assertThat(Summary.find(List.of(line))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsockets4j: connections", "rsockets4j: connections shm=0 tcp=0"})
    void shouldNotAcceptThatThereWereNone(String line) {
        Summary summary = Summary.find(List.of(line)).orElseThrow();

        assertThat(summary.areAll("shm")).isFalse();
    }

    @Test
    void shouldObjectToMissingSummary() {
        assertThat(Route.SHM.objectionTo(Side.SERVER, Optional.empty()))
                .contains("the server printed no summary of its connections");
    }

    @Test
    void shouldObjectToOtherPaths() {
        assertThat(Route.SHM.objectionTo(Side.CLIENT, summary("shm=9 tcp=1")))
                .contains("the client's connections should all be shm but were shm=9 tcp=1");
        assertThat(Route.FALLBACK.objectionTo(Side.CLIENT, summary("shm=1"))).isPresent();
    }

    @Test
    void shouldAcceptTheRightPath() {
        assertThat(Route.SHM.objectionTo(Side.CLIENT, summary("shm=9 tcp=0"))).isEmpty();
        assertThat(Route.FALLBACK.objectionTo(Side.CLIENT, summary("tcp=2"))).isEmpty();
    }

    @Test
    void shouldExpectNoSummaryOfAPlainJvm() {
        assertThat(Route.TCP.objectionTo(Side.CLIENT, Optional.empty())).isEmpty();
        assertThat(Route.FALLBACK.objectionTo(Side.SERVER, Optional.empty())).isEmpty();
    }

    private static Optional<Summary> summary(String counts) {
        return Summary.find(List.of("rsockets4j: connections " + counts));
    }
}
