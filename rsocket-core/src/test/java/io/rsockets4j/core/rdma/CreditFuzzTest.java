/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.rsockets4j.core.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Whatever a peer says in STATE and with DATA, between what the program reads and writes: counts stay within the rings
 * and the receives, or the peer is found out.
 */
class CreditFuzzTest {
    private static final int RING_BYTES = 4096;
    private static final int RECEIVES = 64;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 1);

    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldKeepWithinBoundsOrRefuse(byte @NotNull [] data) throws Exception {
        new Conversation().run(ByteBuffer.wrap(data));
    }

    /** One connection's counts, driven by bytes. */
    private static final class Conversation {
        private final CountingQueuePair queuePair = new CountingQueuePair();
        private final ReceiveSide in;
        private final SendSide out;
        private final SendQueue sends;
        private final ByteBuffer scratch = ByteBuffer.allocate(RING_BYTES);

        Conversation() throws VerbsException {
            RemoteRing ring = new RemoteRing(0x10000, RING_BYTES, 2);
            RingSlot slot = new RingSlot(0, ByteBuffer.allocate(RING_BYTES), ByteBuffer.allocate(RING_BYTES));
            slot.register(ring, 0x100_000, 1);
            MessageBuffers buffers = new MessageBuffers(ByteBuffer.allocate(MessageBuffers.BYTES), 0x1000, 1);
            queuePair.messages(buffers);
            sends = new SendQueue(new SendQueue.Outlet(queuePair, buffers, 1, new ReceiveQueue(queuePair, buffers, 1),
                    new Stalls(() -> { })));
            RdmaConnection connection = new RdmaConnection(null, 0, slot, RING_BYTES, sends);
            connection.begin(ring);
            in = connection.in();
            out = connection.out();
            sends.begin(new Hello(1, true, true, true, false, ring, RECEIVES, 0, ADDRESS, ADDRESS), true);
        }

        void run(ByteBuffer script) throws Exception {
            try {
                while (script.remaining() > Long.BYTES) {
                    step(script.get(), script.getLong());
                    assertThat(in.available()).isBetween(0, RING_BYTES);
                    assertThat(out.credit()).isBetween(0L, (long) RING_BYTES);
                    assertThat(queuePair.posted()).as("within the peer's receives").isLessThanOrEqualTo(granted);
                }
            } catch (ProtocolException e) {
                assertThat(e).hasMessageMatching("(?s).*(DATA|STATE|receives).*");
            }
        }

        private long granted = RECEIVES;

        private void step(byte kind, long value) throws Exception {
            switch (kind & 7) {
                case 0 -> out.readByPeer(value);
                case 1 -> {
                    sends.granted(value);
                    granted = Math.max(granted, value);
                }
                case 2 -> in.arrived((int) value, false);
                case 3 -> {
                    granted = DataImmediate.receives(DataImmediate.credit((int) value), granted);
                    sends.grantedWithData(DataImmediate.credit((int) value));
                }
                case 4 -> out.write(scratch.clear().limit((int) (value & RING_BYTES - 1)));
                case 5 -> in.read(scratch.clear().limit((int) (value & RING_BYTES - 1)));
                case 6 -> sends.completed((int) value);
                default -> out.state(0);
            }
        }
    }
}
