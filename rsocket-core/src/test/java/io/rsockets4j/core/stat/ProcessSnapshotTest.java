/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessSnapshotTest {
    @Test
    void shouldTellTheHostAndWhatServes() {
        ProcessSnapshot snapshot = new ProcessSnapshot(1, "Main", "web 1", "rsockets4j 1, paths=shm", List.of(),
                List.of());
        assertThat(ProcessSnapshot.decode(snapshot.encode())).isEqualTo(snapshot);
    }

    @Test
    void shouldReadAnAnswerThatTellsNoHost() {
        assertThat(ProcessSnapshot.decode("rsockets4j-stat 2\t7\tMain\nend\n"))
                .isEqualTo(new ProcessSnapshot(7, "Main", "", "", List.of(), List.of()));
    }
}
