/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** No operation allocates, either way. */
class DirectAllocationTest {
    private static final int ROUNDS = 20_000;

    private final Loop loop = new Loop();

    /** A network without delay, but for adverts, which wait until they are let through. */
    private static final class Loop implements DirectSender.Wire, DirectReceiver.Wire {
        final DirectSender sender = new DirectSender(this, 64, 4);
        final DirectReceiver receiver = new DirectReceiver(this, 64, 4);
        int news;
        long phase;
        long sequence;
        int length;
        long acknowledged;
        long completed;

        @Override
        public void writeBuffer(long address, long key, int bytes) {
            news = bytes;
        }

        @Override
        public void writeRing(long position, int bytes) {
            news = -bytes;
        }

        @Override
        public void withdrawn() { }

        @Override
        public void end(long total) { }

        @Override
        public void advertise(long atPhase, long atSequence, long id, int offset, int bytes, boolean waitAll) {
            phase = atPhase;
            sequence = atSequence;
            length = bytes;
        }

        @Override
        public void acknowledge(long total) {
            acknowledged = total;
        }

        @Override
        public void withdraw(long ofPhase) { }

        @Override
        public void copy(long position, long id, int offset, int bytes) { }

        @Override
        public void completed(long id, int bytes, DirectReceiver.Ending ending) {
            completed++;
        }

        void round(int i) throws DirectCorruptedException {
            receiver.receive(i, 32, false, true);
            if ((i & 1) == 0) {
                sender.advert(phase, sequence, 0, 0, length, false);
            }
            sender.send(16);
            if (news > 0) {
                receiver.directArrived(news);
            } else {
                receiver.ringArrived(-news);
                receiver.drain();
                sender.acknowledged(acknowledged);
            }
        }
    }

    @Test
    void shouldAllocateNothing() throws DirectCorruptedException {
        rounds();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        rounds();
        long after = threads.getCurrentThreadAllocatedBytes();
        assertThat(after - before).as("bytes allocated in %s rounds", ROUNDS).isLessThan(ROUNDS);
        assertThat(loop.completed).isEqualTo(2L * ROUNDS);
        assertThat(loop.sender.sentDirectly()).isBetween(1L, loop.sender.sent() - 1);
    }

    private void rounds() throws DirectCorruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            loop.round(i);
        }
    }
}
