/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RingUrgentTest {
    private static final int CAPACITY = 2 * FIRST_BYTES;
    private static final byte ORDINARY = 1;
    private static final byte URGENT = 2;

    private final RingPair ring = new RingPair(CAPACITY);

    @AfterEach
    void nothingIsStoredOutside() {
        ring.checkGuards();
    }

    @Test
    void shouldDropAnUrgentByteWhereverItIs() throws RingCorruptedException {
        for (int before = 0; before <= FIRST_BYTES; before++) {
            ring.restart(() -> true);
            send(before, ORDINARY);
            assertThat(ring.out().markUrgent()).isTrue();
            send(1, URGENT);
            send(100, ORDINARY);
            byte[] ordinary = new byte[before + 100];
            Arrays.fill(ordinary, ORDINARY);
            assertThat(ring.in().available()).isEqualTo(before + 100);
            assertThat(receive()).as("%d before", before).isEqualTo(ordinary);
            assertThat(ring.out().isDrained()).isTrue();
        }
    }

    @Test
    void shouldBeReadableOnlyWithMoreThanAnUrgentByte() throws RingCorruptedException {
        ring.restart(() -> true);
        sendUrgent();
        assertThat(ring.in().isReadable()).isFalse();
        assertThat(ring.in().available()).isZero();
        ring.in().urgentInline(true);
        assertThat(ring.in().isReadable()).isTrue();
        assertThat(ring.in().available()).isEqualTo(1);
        ring.in().urgentInline(false);
        send(1, ORDINARY);
        assertThat(ring.in().isReadable()).isTrue();
        assertThat(receive()).containsExactly(ORDINARY);
    }

    @Test
    void shouldDropUrgentBytesThatAreNextWhenOthersCome() throws RingCorruptedException {
        ring.restart(() -> true);
        sendUrgent();
        sendUrgent();
        sendUrgent();
        assertThat(ring.in().isReadable()).isFalse();
        assertThat(ring.in().available()).isZero();
        send(1, ORDINARY);
        sendUrgent();
        assertThat(ring.in().isReadable()).isTrue();
        assertThat(ring.in().available()).isEqualTo(1);
        assertThat(receive()).containsExactly(ORDINARY);
        assertThat(ring.out().isDrained()).isTrue();
    }

    @Test
    void shouldDeliverAnUrgentByteBehindOthersWhenAnotherComes() throws RingCorruptedException {
        ring.restart(() -> true);
        send(1, ORDINARY);
        sendUrgent();
        sendUrgent();
        assertThat(ring.in().available()).isEqualTo(2);
        assertThat(receive()).containsExactly(ORDINARY, URGENT);
    }

    @Test
    void shouldFinishBehindAnUrgentByte() throws RingCorruptedException {
        ring.restart(() -> true);
        sendUrgent();
        ring.out().finish(false);
        assertThat(ring.in().isReadable()).isTrue();
        assertThat(receive()).isEmpty();
        assertThat(ring.in().isFinished()).isTrue();
    }

    @Test
    void shouldDeliverUrgentBytesThatAreAskedFor() throws RingCorruptedException {
        ring.restart(() -> true).in().urgentInline(true);
        send(1, ORDINARY);
        sendUrgent();
        sendUrgent();
        send(1, ORDINARY);
        assertThat(receive()).containsExactly(ORDINARY, URGENT, URGENT, ORDINARY);
    }

    @Test
    void shouldNotMarkWithoutCredit() throws RingCorruptedException {
        ring.restart(() -> false);
        send(FIRST_BYTES, ORDINARY);
        assertThat(ring.out().markUrgent()).isFalse();
        assertThat(receive()).hasSize(FIRST_BYTES);
        send(1, ORDINARY);
        assertThat(receive()).containsExactly(ORDINARY);
        sendUrgent();
        assertThat(receive()).isEmpty();
    }

    private void sendUrgent() throws RingCorruptedException {
        assertThat(ring.out().markUrgent()).isTrue();
        send(1, URGENT);
    }

    private void send(int count, byte value) throws RingCorruptedException {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, value);
        assertThat(ring.out().write(ByteBuffer.wrap(bytes))).isEqualTo(count);
    }

    private byte[] receive() throws RingCorruptedException {
        ByteBuffer all = ByteBuffer.allocate(2 * CAPACITY);
        int last = -1;
        while (last != 0) {
            last = ring.in().read(all);
        }
        return Arrays.copyOf(all.array(), all.position());
    }
}
