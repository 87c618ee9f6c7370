/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Whatever a peer says of second links: it is LINKS, JOIN or RESUME that can be used, or it is refused. */
class JoinFuzzTest {
    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) {
        ByteBuffer message = ByteBuffer.wrap(Arrays.copyOf(data, MessageDescriptor.MESSAGE_BYTES));
        int length = Math.min(data.length, MessageDescriptor.MESSAGE_BYTES);
        ByteBuffer again = ByteBuffer.allocate(MessageDescriptor.MESSAGE_BYTES);
        try {
            Join join = Join.decode(message, length);
            assertThat(Join.decode(again, join.encode(again))).isEqualTo(join);
            assertThat(join.refused() ? 1 : join.receives()).isPositive();
        } catch (ProtocolException e) {
            assertThat(e).hasMessageContaining("JOIN");
        }
        ByteBuffer second = ByteBuffer.allocate(MessageDescriptor.MESSAGE_BYTES);
        try {
            Links links = Links.decode(message, length);
            assertThat(Links.decode(second, links.encode(second))).isEqualTo(links);
            assertThat(links.addresses()).hasSizeBetween(1, Links.MAX_ADDRESSES);
            assertThat(links.port()).isPositive();
        } catch (ProtocolException e) {
            assertThat(e).hasMessageContaining("LINKS");
        }
        Resume resume = Resume.decode(message);
        ByteBuffer third = ByteBuffer.allocate(MessageDescriptor.MESSAGE_BYTES);
        resume.encode(third);
        assertThat(Resume.decode(third)).isEqualTo(resume);
    }
}
