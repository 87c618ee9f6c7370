/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** No operation allocates, either way, but for what an advert says. */
class DirectAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final int LENGTH = 32;

    private final PeerAdverts sender = new PeerAdverts();
    private final OwnAdverts receiver = new OwnAdverts();
    private final Advert advert = new Advert(0, 4096, LENGTH, 7, false);
    private long sent;
    private long straight;
    private long received;

    private void round() throws DirectCorruptedException {
        receiver.add(advert);
        sender.hold(advert, sent);
        int taken = sender.take(sent, LENGTH / 2, 8192, 1);
        straight += sender.straight(sent);
        receiver.arrived(taken, true, 0);
        received += receiver.take();
        sent += taken;
    }

    @Test
    void shouldAllocateNothing() throws DirectCorruptedException {
        rounds();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        rounds();
        long after = threads.getCurrentThreadAllocatedBytes();
        assertThat(after - before).as("bytes allocated in %s rounds", ROUNDS).isLessThan(ROUNDS);
        assertThat(sent).isEqualTo((long) ROUNDS * LENGTH).isEqualTo(straight).isEqualTo(received);
    }

    private void rounds() throws DirectCorruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            round();
        }
    }
}
