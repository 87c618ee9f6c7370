/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathSetupTest {
    @Test
    void shouldBeCalledAsUsersWriteIt() {
        assertThat(PathSetup.SHM).hasToString("shm");
        assertThat(PathSetup.RDMA_DIRECT).hasToString("rdma-direct");
        assertThat(PathSetup.RDMA_DIRECT.paths(Side.SERVER)).contains(
                "rdma,direct.min.bytes=4096,direct.registered.min.bytes=4096,direct.only=true");
    }

    @Test
    void shouldFindTheLastSummaryAmongOtherLines() {
        assertThat(PathSetup.SHM.objectionTo(Side.CLIENT,
                List.of("a warning", summary("tcp=1"), summary("shm=3"), "bye"))).isEmpty();
    }

    @Test
    void shouldReadASummaryThatAlsoTellsWhatServesTheProgram() {
        String served = summary("shm=3 tcp=0") + "; rsockets4j 1.0, paths=shm,tcp, rules: 2";
        assertThat(PathSetup.SHM.objectionTo(Side.CLIENT, List.of(served))).isEmpty();
        assertThat(PathSetup.FALLBACK.objectionTo(Side.CLIENT, List.of(served))).isPresent();
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
        assertThat(PathSetup.SHM.objectionTo(Side.SERVER, List.of(line)))
                .contains("the server printed no summary of its connections");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shm=0 tcp=0", "shm=9 tcp=1", "tcp=2", "shm2=1"})
    void shouldObjectToOtherPathsAndToNone(String counts) {
        assertThat(PathSetup.SHM.objectionTo(Side.CLIENT, List.of(summary(counts))))
                .contains("the client's connections should all be shm but were "
                        + (counts.isEmpty() ? "none" : counts));
    }

    @Test
    void shouldAcceptTheRightPath() {
        assertThat(PathSetup.SHM.objectionTo(Side.CLIENT, List.of(summary("shm=9 tcp=0")))).isEmpty();
        assertThat(PathSetup.FALLBACK.objectionTo(Side.CLIENT, List.of(summary("tcp=2")))).isEmpty();
        assertThat(PathSetup.FALLBACK.objectionTo(Side.CLIENT, List.of(summary("shm=1")))).isPresent();
    }

    @Test
    void shouldExpectNoSummaryOfAPlainJvm() {
        assertThat(PathSetup.TCP.objectionTo(Side.CLIENT, List.of())).isEmpty();
        assertThat(PathSetup.FALLBACK.objectionTo(Side.SERVER, List.of())).isEmpty();
    }

    private static String summary(String counts) {
        return ("rsockets4j: connections " + counts).strip();
    }
}
