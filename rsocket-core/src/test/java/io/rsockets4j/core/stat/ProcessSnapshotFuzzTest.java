/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.nio.charset.StandardCharsets;

/** Whatever another process answers to stat: its connections, or a refusal. */
class ProcessSnapshotFuzzTest {
    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) {
        ProcessSnapshot snapshot;
        try {
            snapshot = ProcessSnapshot.decode(new String(data, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return;
        }
        ProcessSnapshot again = ProcessSnapshot.decode(snapshot.encode());
        assertThat(again.pid()).isEqualTo(snapshot.pid());
        assertThat(again.connections()).isEqualTo(snapshot.connections());
        assertThat(again.sessions()).isEqualTo(snapshot.sessions());
    }
}
