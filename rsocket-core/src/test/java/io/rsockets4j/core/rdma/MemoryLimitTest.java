/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryLimitTest {
    @ParameterizedTest
    @CsvSource({"65536, 0000000000000000, 65536", "65536, 000001ffffffbfff, 65536",
        "65536, 0000000000004000, 9223372036854775807", "unlimited, 0000000000000000, 9223372036854775807"})
    void shouldKnowHowMuchMayBePinned(String soft, String capabilities, long bytes) {
        assertThat(MemoryLimit.bytes("Max locked memory         " + soft + "    67108864    bytes",
                List.of("Name:\tjava", "CapEff:\t" + capabilities))).isEqualTo(bytes);
    }

    @Test
    void shouldNameTheLimitAndTheFix() {
        assertThat(MemoryLimit.explain(4_194_304)).startsWith("cannot pin 4194304 bytes for RDMA")
                .contains("RLIMIT_MEMLOCK").contains("ulimit -l unlimited").contains("rsockets4j.ring.bytes");
    }
}
