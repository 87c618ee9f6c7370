/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.rsockets4j.core.shm.ring.SendRing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The counters of a ring: bytes before the count that tells of them, and reads before the one that frees them. */
public class CountStress {
    private static final int SOME = 1_024;
    private static final int OLD = 1;
    private static final int NEW = 2;

    /** A receiver sees a count: it sees the bytes, too. The ring holds older ones. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "nothing has come yet")
    @Outcome(id = "1024", expect = ACCEPTABLE, desc = "all has come, as it was sent")
    @Outcome(id = "-1000", expect = FORBIDDEN, desc = "a byte of an older stream")
    @State
    public static class BytesBeforeTail extends Ends {
        public BytesBeforeTail() {
            for (int sent = 0; sent < FIRST_BYTES; sent += SOME) {
                send(near, SOME, OLD);
                receive(far, SOME, OLD);
            }
        }

        @Actor
        public void sender() {
            send(near, SOME, NEW);
        }

        @Actor
        public void receiver(I_Result r) {
            r.r1 = receive(far, SOME, NEW);
        }
    }

    /** A sender sees credit: the receiver has read what was there. */
    @JCStressTest
    @Outcome(id = "1024, 0", expect = ACCEPTABLE, desc = "read; the sender came too early for the credit")
    @Outcome(id = "1024, 1024", expect = ACCEPTABLE, desc = "read, and written over")
    @Outcome(id = "-1000, .*", expect = FORBIDDEN, desc = "written over before it was read")
    @State
    public static class ReadBeforeHead extends Ends {
        private final SendRing out = new SendRing(words, ring(), () -> false);

        public ReadBeforeHead() {
            write(out, FIRST_BYTES, OLD);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(far, SOME, OLD);
        }

        @Actor
        public void sender(II_Result r) {
            r.r2 = write(out, SOME, NEW);
        }
    }

    /** A sender goes over to the whole ring: the receiver follows it at the right byte. */
    @JCStressTest
    @Outcome(id = "0, 5120", expect = ACCEPTABLE, desc = "nothing was there at first")
    @Outcome(id = "1024, 4096", expect = ACCEPTABLE, desc = "the first part was there")
    @Outcome(id = "5120, 0", expect = ACCEPTABLE, desc = "all was there")
    @Outcome(id = "-1000, .*", expect = FORBIDDEN, desc = "a wrong byte")
    @Outcome(id = ".*, -1000", expect = FORBIDDEN, desc = "a wrong byte")
    @State
    public static class Growth extends Ends {
        private final ByteBuffer all = ByteBuffer.allocate(RING_BYTES);

        @Actor
        public void sender() {
            send(near, SOME, NEW);
            send(near, FIRST_BYTES, NEW);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = read();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = read();
        }

        private int read() {
            int before = all.position();
            try {
                far.receive(all);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            for (int i = before; i < all.position(); i++) {
                if (all.get(i) != NEW) {
                    return -1000;
                }
            }
            return all.position() - before;
        }
    }

    /** A receiver sees the end: it has had every byte. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing has come yet")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "a byte, and no end yet")
    @Outcome(id = "1, -1", expect = ACCEPTABLE, desc = "a byte, then the end")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "a byte, at the second look")
    @Outcome(id = "-1, .*", expect = FORBIDDEN, desc = "the end before the byte")
    @Outcome(id = "0, -1", expect = FORBIDDEN, desc = "the end before the byte")
    @State
    public static class BytesBeforeEnd extends Ends {
        @Actor
        public void sender() {
            send(near, 1, NEW);
            near.close(false);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(far, 1, NEW);
            r.r2 = receive(far, 1, NEW);
        }
    }

    /** A byte that is sent as urgent is dropped, and those behind it are not. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "nothing has come yet, or the urgent byte alone")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the byte behind")
    @Outcome(id = "-1000, .*", expect = FORBIDDEN, desc = "the urgent byte was read")
    @Outcome(id = ".*, -1000", expect = FORBIDDEN, desc = "the urgent byte was read")
    @State
    public static class MarkBeforeUrgentByte extends Ends {
        @Actor
        public void sender() {
            try {
                near.sendUrgent(ByteBuffer.wrap(new byte[] {OLD}));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            send(near, 1, NEW);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(far, 8, NEW);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = receive(far, 8, NEW);
        }
    }

    private static int write(SendRing out, int length, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) value);
        }
        try {
            return out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
