/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The reads of a link into whose buffers the peer writes straight. The receiving direction's. The buffer's memory is
 * registered for one read and no longer, as a program may free it afterwards.
 */
final class DirectReads {
    private static final Log LOG = Log.of(DirectReads.class);
    /** How long the end of a read or a write waits for the peer: some round trips over a long way. */
    static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final RdmaFabric fabric;
    private final RdmaConnection connection;
    private final ReceiveSide in;
    private final SendSide out;
    private final Refusal refusal = new Refusal();
    private MemoryRegion region; // null while none is under way

    DirectReads(RdmaFabric fabric, RdmaConnection connection) {
        this.fabric = fabric;
        this.connection = connection;
        in = connection.in();
        out = connection.out();
    }

    boolean isUnderWay() {
        return region != null;
    }

    /** Offers a buffer to the peer, if that can be. The caller has found nothing to read. */
    void begin(ByteBuffer dst) {
        if (dst.isDirect() && region == null && in.isDrained() && connection.takesAdverts() && !refusal.lasts()) {
            advertise(dst);
        }
    }

    private void advertise(ByteBuffer dst) {
        try {
            region = connection.session().memory().lend(dst, true);
        } catch (IOException e) {
            refusal.begin();
            fabric.warnOnce("rsockets4j: reads go by the ring, not straight into the program's buffers: ", e);
            return;
        }
        if (region == null) {
            return;
        }
        in.advertise(dst.remaining());
        try {
            out.advertise(region);
            connection.session().poller().attendStalls();
        } catch (IOException e) {
            connection.session().fail(e);
        }
    }

    /**
     * Reads what has come, into the buffer that is under way: straight, or by the ring. Either way no byte lands there
     * afterwards.
     *
     * @param dst that buffer
     * @return bytes; 0, and the buffer stays under way, when none have come
     */
    int read(ByteBuffer dst) {
        if (in.isDrained()) {
            return 0;
        }
        int direct = in.takeDirect();
        end();
        if (direct == 0) {
            return in.read(dst);
        }
        dst.position(dst.position() + direct);
        return direct;
    }

    /** The peer writes there no more, as its stream has ended or the session has failed: the device refuses it now. */
    void end() {
        if (region != null) {
            MemoryRegion ended = region;
            region = null;
            out.takeAdvertBack();
            in.advertise(0);
            try {
                connection.session().memory().takeBack(ended);
            } catch (IOException e) { // the device could write there still
                connection.session().fail(e);
            }
        }
    }

    /**
     * Ends the read that is under way, whatever the peer does: it is asked to let go of the buffer. If it does not
     * answer in time, its device may not write there any more all the same; a write that comes then ends the session.
     *
     * @return bytes that have come into the buffer before, which count as read
     */
    int takeBack() {
        if (region == null) {
            return 0;
        }
        if (!out.takeAdvertBack() && connection.mayWriteDirectly()) {
            try {
                Outcome<RdmaConnection> withdrawal = connection.withdraw();
                connection.session().poller().attendStalls();
                fabric.await(connection, withdrawal, System.nanoTime() + END_NANOS);
            } catch (PathException e) {
                LOG.log(System.Logger.Level.DEBUG, "rsockets4j: a buffer is taken back unasked: " + e.getMessage());
            } catch (IOException e) {
                connection.session().fail(e);
            }
        }
        int direct = in.takeDirect();
        end();
        return direct;
    }
}
