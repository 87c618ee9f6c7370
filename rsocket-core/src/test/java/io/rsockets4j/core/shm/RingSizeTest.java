/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.shm.ring.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** That rings are as large as the buffers that both ends asked for, one connection after the other in the same slot. */
@Timeout(30)
class RingSizeTest {
    private static final int ALL = 2 << 20;

    @TempDir
    private Path directory;

    @Test
    void shouldHaveTheSizesThatBothEndsAskFor() throws Exception {
        ShmFabric fabric = Fabrics.open(directory, "ring.bytes=65536", "ring.max.bytes=131072");
        assertSizes(fabric, 0, BufferSizes.UNSET, 65_536, 65_536);
        assertSizes(fabric, 0, new BufferSizes(ALL, ALL), 131_072, 131_072);
        assertSizes(fabric, 2304, new BufferSizes(4608, 2304), 8192, 65_536);
        assertSizes(fabric, 16_384, new BufferSizes(16_384, 0), 32_768, 65_536);
        assertSizes(fabric, ALL, BufferSizes.UNSET, 131_072, 65_536);
        assertSizes(fabric, 0, new BufferSizes(0, ALL), 65_536, 131_072);
        assertSizes(fabric, 0, BufferSizes.UNSET, 65_536, 65_536);
    }

    @Test
    void shouldNeverBeSmallerThanUsualWhereTheBoundIs() throws Exception {
        ShmFabric fabric = Fabrics.open(directory, "ring.bytes=65536", "ring.max.bytes=8192");
        assertSizes(fabric, 0, BufferSizes.UNSET, 65_536, 65_536);
        assertSizes(fabric, ALL, new BufferSizes(ALL, ALL), 65_536, 65_536);
    }

    private static void assertSizes(ShmFabric fabric, int receiveBytes, BufferSizes asked, int forth, int back)
            throws Exception {
        Fabrics.Listening listening = Fabrics.listen(fabric, Fabrics.newAddress(), receiveBytes);
        ShmLink near = Fabrics.connect(fabric, listening.address(), new FakePort(asked));
        ShmLink far = listening.accept();
        assertThat(near.slot()).isZero();
        assertHolds(near, far, forth);
        assertHolds(far, near, back);
        near.close(false);
        far.close(false);
        listening.queue().close();
    }

    private static void assertHolds(ShmLink from, ShmLink to, int capacity) throws IOException {
        ByteBuffer source = Payload.of(0, ALL);
        assertThat(from.send(source)).isEqualTo(capacity);
        ByteBuffer received = ByteBuffer.allocate(ALL);
        assertThat(to.receive(received)).isEqualTo(capacity);
        while (source.hasRemaining()) { // round and round the ring
            from.send(source);
            to.receive(received);
        }
        Payload.check(received.flip(), 0);
    }
}
