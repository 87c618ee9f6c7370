/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.fabric.LinkWaiters;
import java.nio.ByteBuffer;

/**
 * Waiters of a link over shared memory: the arm words of its slot tell the peer which lane to ring. Once closed they
 * are left alone, as the slot may be another connection's by then.
 */
final class ShmWaiters extends LinkWaiters {
    private final ByteBuffer inControl;
    private final ByteBuffer outControl;

    /**
     * Creates the waiters of a new link: none.
     *
     * @param inControl words of the ring that this side receives on
     * @param outControl words of the ring that this side sends on
     */
    ShmWaiters(ByteBuffer inControl, ByteBuffer outControl) {
        this.inControl = inControl;
        this.outControl = outControl;
    }

    @Override
    protected void armed(int ops, int lane) {
        long arm = 1 + lane;
        if ((ops & OP_READ) != 0) {
            Words.putOpaque(inControl, READER_ARM, arm); // ordered by the fence in RingLink.arm
        }
        if ((ops & OP_WRITE) != 0) {
            Words.putRelease(outControl, WRITER_ARM, arm); // pairs with ShmLink.receive; see the fence in RingLink.arm
        }
    }
}
