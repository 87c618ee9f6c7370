/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Whatever a peer writes into a connect record: a connect that can be served, or a refusal. */
class ConnectEntryFuzzTest {
    private static final int BYTES = SessionDescriptor.CONNECT_BYTES;

    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) {
        ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        memory.put(0, Arrays.copyOf(data, BYTES));
        ConnectEntry entry;
        try {
            entry = ConnectEntry.read(new Words(memory), 0);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return;
        }
        assertThat(entry.slot()).isBetween(0, SessionDescriptor.MAX_SLOTS - 1);
        assertThat(entry.listener()).isBetween(0, SessionDescriptor.MAX_LISTENERS - 1);
        assertThat(entry.initiator().getPort()).isBetween(0, 0xffff);
        assertThat(entry.acceptor().isUnresolved()).isFalse();
        Words again = new Words(ByteBuffer.allocateDirect(BYTES));
        entry.write(again, 0);
        assertThat(ConnectEntry.read(again, 0)).isEqualTo(entry);
    }
}
