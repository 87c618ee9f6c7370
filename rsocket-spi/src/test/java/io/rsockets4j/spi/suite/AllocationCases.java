/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Requires;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That a message which finds its way without a wait leaves nothing to collect, whether or not a compiler helps. */
abstract class AllocationCases extends SuiteCase {
    private static final int WARM_UP = 3_000; // also several times round a small ring, and its credit
    private static final int MESSAGES = 5_000;
    private static final int BYTES = 100;
    private static final long SMALLEST_OBJECT = 16;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requires(Capability.ALLOCATES_NOTHING)
    void shouldAllocateNothingForAMessage(boolean direct) throws Exception {
        Pair pair = connect().configureBlocking(false);
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(BYTES) : ByteBuffer.allocate(BYTES);
        exchange(pair, buffer, WARM_UP);
        long before = threads.getCurrentThreadAllocatedBytes();
        exchange(pair, buffer, MESSAGES);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).as("bytes allocated for %d messages", MESSAGES)
                .isLessThan(MESSAGES * SMALLEST_OBJECT / 10); // what is done for few of them, or by the tool, may
    }

    private static void exchange(Pair pair, ByteBuffer buffer, int messages) throws IOException {
        for (int i = 0; i < messages; i++) {
            buffer.clear();
            while (buffer.hasRemaining()) {
                pair.client().write(buffer);
            }
            buffer.clear();
            while (buffer.hasRemaining()) {
                pair.server().read(buffer);
            }
        }
    }
}
