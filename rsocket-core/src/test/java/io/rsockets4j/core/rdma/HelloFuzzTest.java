/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Whatever the first message of a peer holds: it is a HELLO that can be used, or it is refused. */
class HelloFuzzTest {
    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) {
        ByteBuffer message = ByteBuffer.wrap(Arrays.copyOf(data, MessageDescriptor.MESSAGE_BYTES));
        try {
            Hello hello = Hello.decode(message, Math.min(data.length, MessageDescriptor.MESSAGE_BYTES));
            ByteBuffer again = ByteBuffer.allocate(MessageDescriptor.MESSAGE_BYTES);
            assertThat(Hello.decode(again, hello.encode(again))).isEqualTo(hello);
            if (hello.refusal() == 0) {
                assertThat(hello.ring().bytes()).isBetween(1 << 12, 1 << 28);
                assertThat(hello.receives()).isPositive();
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("HELLO");
        }
    }
}
