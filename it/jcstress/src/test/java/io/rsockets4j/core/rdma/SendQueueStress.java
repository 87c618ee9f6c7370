/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.rsockets4j.core.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** One thread posts, another one hears of completions, for which it takes the lock only if somebody waits. */
public class SendQueueStress {
    private static final int RING_BYTES = 4096;
    private static final RemoteRing RING = new RemoteRing(0x10000, RING_BYTES, 2);
    private static final MessageBuffers MESSAGES =
            new MessageBuffers(ByteBuffer.allocateDirect(MessageBuffers.BYTES), 0x1000, 1);
    private static final RingSlot SLOT = new RingSlot(0, ByteBuffer.allocateDirect(RING_BYTES),
            ByteBuffer.allocateDirect(RING_BYTES));

    static {
        SLOT.register(RING, 0x100_000, 1);
    }

    /** A queue of one connection; states share memory, of which nobody reads. */
    public static class Posting {
        private static final long TAG = WorkRequestIds.tag(0, 1);
        private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 1);

        final CountingQueuePair queuePair = new CountingQueuePair();
        final SendQueue sends;
        final SendSide sender;

        Posting() {
            queuePair.messages(MESSAGES);
            try {
                ReceiveQueue receives = new ReceiveQueue(queuePair, MESSAGES, TAG);
                sends = new SendQueue(new SendQueue.Outlet(queuePair, MESSAGES, TAG, receives, new Stalls(() -> { })));
                RdmaConnection connection = new RdmaConnection(null, 0, SLOT, RING_BYTES, sends);
                connection.begin(RING);
                sender = connection.out();
                sends.begin(new Hello(1, true, true, true, false, RING, 1000, 0, ADDRESS, ADDRESS), true);
            } catch (VerbsException e) {
                throw new IllegalStateException(e);
            }
        }

        final void write() {
            try {
                sender.write(ByteBuffer.allocate(1));
            } catch (VerbsException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The device has completed so many. Returns 1 if somebody is to hear of that. */
        final int complete(int count) {
            try {
                return sends.completed(count) ? 1 : 0;
            } catch (VerbsException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A write that finds no slot waits for the completion that comes just then. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the write was posted, by one of the two")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "it waits for a completion that has come")
    @State
    public static class WriteAgainstCompletion extends Posting {
        private final int full;

        /** Creates a queue without a slot for data. */
        public WriteAgainstCompletion() {
            while (queuePair.writes() == sender.tail()) {
                write();
            }
            complete(1); // for the byte that had no slot
            full = queuePair.writes();
        }

        @Actor
        public void writer() {
            write();
        }

        @Actor
        public void poller() {
            complete(full);
        }

        @Arbiter
        public void posted(I_Result r) {
            r.r1 = queuePair.writes() - full;
        }
    }

    /** A connection's last message is posted, and completes. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "it was not posted yet")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "it was posted, and somebody is to hear of it")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "nobody would hear that the connection is over")
    @State
    public static class LastMessageAgainstCompletion extends Posting {
        @Actor
        public void closer() {
            try {
                sender.state(MessageDescriptor.FINISHED | MessageDescriptor.CLOSED);
            } catch (VerbsException e) {
                throw new IllegalStateException(e);
            }
        }

        @Actor
        public void poller(II_Result r) {
            r.r1 = complete(1);
            r.r2 = sends.hasCompleted(1) ? 1 : 0;
        }
    }
}
