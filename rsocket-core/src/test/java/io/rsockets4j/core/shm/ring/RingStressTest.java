/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RING_CONTROL_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A writer and a reader at the same time, on rings so small that both often wait. */
class RingStressTest {
    private static final long BYTES = 48L << 20;
    private static final int LOOKS_PER_YIELD = 200;

    private volatile boolean failed;

    @Test
    void shouldCarryAStreamThroughASmallRing() throws Exception {
        stream(2 * FIRST_BYTES, BYTES, 10_000, () -> true);
    }

    @Test
    void shouldCarryAStreamThroughTheFirstPageAlone() throws Exception {
        stream(2 * FIRST_BYTES, BYTES / 2, 3_000, () -> false);
    }

    @Test
    void shouldCarryAStreamOfSmallMessages() throws Exception {
        stream(4 * FIRST_BYTES, BYTES / 4, 100, () -> true);
    }

    @Test
    void shouldCarryManyStreamsThatGrowUnderWay() throws Exception {
        for (int i = 0; i < 400; i++) {
            int refusals = i % 5;
            int[] asked = {0};
            stream(2 * FIRST_BYTES, 20_000 + i, 5_000, () -> asked[0]++ >= refusals);
        }
    }

    private void stream(int capacity, long bytes, int maxLength, BooleanSupplier commitWhole) throws Exception {
        Words control = new Words(ByteBuffer.allocateDirect(RING_CONTROL_BYTES));
        ByteBuffer memory = ByteBuffer.allocateDirect(capacity);
        SendRing out = new SendRing(control, memory.duplicate(), commitWhole);
        ReceiveRing in = new ReceiveRing(control, memory.duplicate());
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> guarded(() -> write(out, bytes, maxLength)));
        guarded(() -> read(in, bytes, maxLength));
        writer.get(30, TimeUnit.SECONDS);
        assertThat(out.isDrained()).isTrue();
        assertThat(in.isFinished()).isTrue();
    }

    private void write(SendRing out, long bytes, int maxLength) throws RingCorruptedException {
        SplittableRandom random = new SplittableRandom(1);
        ByteBuffer src = ByteBuffer.allocateDirect(maxLength);
        for (long sent = 0; sent < bytes;) {
            int length = (int) Math.min(bytes - sent, random.nextInt(1, maxLength + 1));
            Payload.fill(src.clear().limit(length), sent).flip();
            sent += src.remaining();
            for (int looks = 1; src.hasRemaining() && !failed; looks++) {
                if (out.write(src) == 0) {
                    pause(looks);
                }
            }
        }
        out.finish(false);
    }

    private void read(ReceiveRing in, long bytes, int maxLength) throws RingCorruptedException {
        SplittableRandom random = new SplittableRandom(2);
        ByteBuffer dst = ByteBuffer.allocateDirect(maxLength);
        long received = 0;
        for (int looks = 1; !in.isFinished() && !failed; looks++) {
            int length = in.read(dst.clear().limit(random.nextInt(1, maxLength + 1)));
            if (length == 0) {
                pause(looks);
            }
            Payload.check(dst.flip(), received);
            received += length;
        }
        assertThat(received).isEqualTo(bytes);
    }

    private static void pause(int looks) {
        if (looks % LOOKS_PER_YIELD == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private interface Half {
        void run() throws RingCorruptedException;
    }

    private void guarded(Half half) {
        boolean done = false;
        try {
            half.run();
            done = true;
        } catch (RingCorruptedException e) {
            throw new AssertionError(e);
        } finally {
            failed |= !done; // the other half need not wait for ever
        }
    }
}
