/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;

class PeerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A race between three threads, the process's reaper among them: each of many runs must get it right. */
    @RepeatedTest(100)
    void shouldTellWhatAProcessPrintedLast() throws Exception {
        PeerProcess process = PeerProcess.start("peer", List.of("sh", "-c", "exec >&-; echo last >&2; exit 3"));

        PeerException failure = catchThrowableOfType(PeerException.class, () -> process.await(PATIENCE));

        assertThat(failure).hasMessage("the peer exited with status 3");
        assertThat(failure.output()).containsExactly("last");
    }
}
