/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The writes of a link that go from the program's buffer straight into the one that the peer's read waits with. The
 * sending direction's. The buffer's memory is registered for one write and no longer, as a program may free or change
 * it afterwards.
 */
final class DirectWrites {
    private final RdmaFabric fabric;
    private final RdmaConnection connection;
    private final SendSide out;
    private final int minBytes; // of a write
    private final Refusal refusal = new Refusal();
    private volatile MemoryRegion region; // null while none is under way; written by the sending direction
    private int length; // of what is under way

    DirectWrites(RdmaFabric fabric, RdmaConnection connection, int minBytes) {
        this.fabric = fabric;
        this.connection = connection;
        this.minBytes = minBytes;
        out = connection.out();
    }

    /** Whether a write is under way. Any thread. */
    boolean isUnderWay() {
        return region != null;
    }

    /** Sends the next bytes from the buffer itself, as many as the peer's takes, if both are worth it. */
    void begin(ByteBuffer src) {
        if (!src.isDirect() || src.isReadOnly() || region != null || refusal.lasts()) {
            return;
        }
        int wanted = Math.min(src.remaining(), out.advertisedBytes());
        if (wanted < minBytes) {
            return;
        }
        int limit = src.limit();
        try {
            region = connection.session().memory().lend(src.limit(src.position() + wanted), false);
        } catch (IOException e) {
            refusal.begin();
            fabric.warnOnce("rsockets4j: writes go by a ring, not straight from the program's buffers: ", e);
            return;
        } finally {
            src.limit(limit);
        }
        if (region != null) {
            write();
        }
    }

    private void write() {
        length = 0;
        try {
            length = out.writeFrom(region);
            connection.session().poller().attendStalls();
        } catch (IOException e) {
            if (!connection.session().fail(e)) {
                length = (int) region.length(); // another link takes over, and tells how many of them have arrived
            }
        }
        if (length == 0) { // the peer has taken its buffer back meanwhile
            end();
        }
    }

    /** Ends the write that is under way, if the peer's device has all of it. Returns its bytes; 0 if not. */
    int finish() {
        return out.isLentAcknowledged() ? end() : 0;
    }

    /** No byte is read from the buffer any more. Returns how many of those under way are sent. */
    int end() {
        MemoryRegion ended = region;
        if (ended == null) {
            return 0;
        }
        region = null;
        try {
            connection.session().memory().takeBack(ended);
        } catch (IOException e) { // the device could read it still
            connection.session().fail(e);
        }
        return out.isLentAcknowledged() ? out.finishLent() : length;
    }

    /** The device does not answer: another link tells how much has arrived, if there is one, or the session ends. */
    private void leaveLink(Outcome<RdmaConnection> acknowledged, IOException cause) {
        SessionLinks links = connection.session().links();
        if (!links.leave(cause)) {
            try {
                acknowledged.await(System.nanoTime() + links.switchNanos());
            } catch (IOException e) {
                connection.session().fail(e);
            }
        }
    }

    /**
     * Ends the write that is under way, whatever the peer does: waits a moment until its device has all. If that takes
     * too long, this side's device may not read the buffer any more all the same, and the session ends.
     *
     * @return bytes of the buffer that count as sent
     */
    int reclaim() {
        if (region == null) {
            return 0;
        }
        if (connection.failure() == null) {
            Outcome<RdmaConnection> acknowledged = connection.awaitLent();
            try {
                fabric.await(connection, acknowledged, System.nanoTime() + DirectReads.END_NANOS);
            } catch (IOException e) {
                leaveLink(acknowledged, e);
            }
        }
        return end();
    }
}
