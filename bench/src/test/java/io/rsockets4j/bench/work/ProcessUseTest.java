/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessUseTest {

    @Test
    void shouldReadTimesAfterAnAwkwardName() {
        String stat = "4242 (a) b (c) S 1 4242 4242 0 -1 4194560 2041 0 0 0 150 25 0 0 20 0 30 0 1000 1 2";

        assertThat(ProcessUse.parseCpuSeconds(stat)).isEqualTo(1.75);
    }

    @Test
    void shouldReadTheShareOfSharedMemory() {
        String rollup = "00400000-7fff [rollup]\nRss: 1724 kB\nPss_Shmem:            12 kB\nSwapPss: 0 kB\n";

        assertThat(ProcessUse.parseSharedBytes(rollup)).isEqualTo(12 * 1024);
        assertThat(ProcessUse.parseSharedBytes("")).isZero();
    }

    @Test
    void shouldLookAtThisProcess() throws IOException {
        long pid = ProcessHandle.current().pid();

        assertThat(ProcessUse.of(pid).descriptors()).isPositive();
        assertThat(ProcessUse.cpuSeconds(pid)).isPositive();
    }
}
