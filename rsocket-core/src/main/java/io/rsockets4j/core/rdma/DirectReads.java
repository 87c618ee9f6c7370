/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.direct.OwnAdverts;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * The reads of a link into whose buffers the peer writes straight, oldest first. The receiving direction's. A buffer's
 * memory is registered for one read and no longer, as a program may free it afterwards.
 *
 * <p>The peer knows of the oldest {@link ReceiveSide#advertised}. Of the others it hears once the ring is empty, if it
 * {@link ReceiveSide#usesAdverts}.
 */
final class DirectReads {
    private static final Log LOG = Log.of(DirectReads.class);
    /** How long the end of a read or a write waits for the peer: some round trips over a long way. */
    static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A buffer, of which the bytes from a position on are registered. */
    private record Offer(ByteBuffer buffer, int from, MemoryRegion region, boolean waitAll) { }

    private final RdmaContext context;
    private final RdmaConnection connection;
    private final ReceiveSide in;
    private final SendSide out;
    private final Refusal refusal = new Refusal();
    private final ArrayDeque<Offer> offers = new ArrayDeque<>(1);

    DirectReads(RdmaContext context, RdmaConnection connection) {
        this.context = context;
        this.connection = connection;
        in = connection.in();
        out = connection.out();
    }

    boolean isUnderWay() {
        return !offers.isEmpty();
    }

    /**
     * Offers a buffer to the peer, behind the others, if that can be. The caller has found nothing to read.
     *
     * @param waitAll whether its read ends only once it is full
     * @return whether it is offered
     */
    boolean begin(ByteBuffer dst, boolean waitAll) {
        for (Offer offer : offers) {
            if (offer.buffer == dst) {
                return true;
            }
        }
        if (!dst.isDirect() || offers.size() == OwnAdverts.MAX || !mayTell() || !in.isDrained()
                || !connection.takesAdverts() || refusal.lasts()) {
            return false;
        }
        MemoryRegion region;
        try {
            region = connection.session().memory().lend(dst, true);
        } catch (IOException e) {
            refusal.begin();
            context.warnOnce("rsockets4j: reads go by the ring, not straight into the program's buffers: ", e);
            return false;
        }
        if (region == null) {
            return false;
        }
        offers.addLast(new Offer(dst, dst.position(), region, waitAll));
        advertise();
        return !offers.isEmpty() && offers.getLast().buffer == dst;
    }

    /** Whether the peer may use a buffer. One that takes no other way has to know of all. */
    private boolean mayTell() {
        return in.usesAdverts() || context.directOnly();
    }

    /**
     * Whether adverts are to tell the peer what was read by the ring. They do so once the ring is empty: a peer that
     * were told before would fill it again, and would find all adverts stale for ever over a long way.
     */
    boolean willReturnCredit() {
        return !offers.isEmpty() && mayTell() && connection.takesAdverts();
    }

    /** Tells the peer of those that it does not know of, or not any more, if the ring is empty. */
    void advertise() {
        int known = in.advertised();
        if (known == offers.size() || !mayTell() || !in.isDrained() || !connection.takesAdverts()) {
            return;
        }
        int index = 0;
        boolean told = true;
        try {
            for (Offer offer : offers) {
                if (index >= known && told) {
                    told = out.advertise(offer.region, offer.buffer.position() - offer.from, offer.waitAll, index);
                }
                index++;
            }
        } catch (IOException e) {
            connection.session().fail(e);
        }
        if (!told && in.isDrained()) { // another link is used now: they are offered again, or take the ring
            endBehind(in.advertised());
        }
    }

    /**
     * Reads what has come, into the oldest buffer that is under way: straight, or by the ring. If that ends the read,
     * no byte lands there afterwards.
     *
     * @param dst that buffer
     * @return bytes; 0, and the buffer stays under way, when none have come
     */
    int read(ByteBuffer dst) {
        if (in.isDrained()) {
            return 0;
        }
        Offer oldest = offers.peekFirst();
        int bytes = in.takeDirect();
        if (bytes > 0) {
            offers.removeFirst();
            takeBack(oldest);
            dst.position(dst.position() + bytes);
            if (oldest.waitAll && dst.hasRemaining()) { // the link has gone; the bytes behind are for this one
                end();
            }
            return bytes;
        }
        forget(); // what comes by the ring ends all adverts
        bytes = in.read(dst);
        if (!oldest.waitAll || !dst.hasRemaining()) {
            offers.removeFirst();
            takeBack(oldest);
        }
        return bytes;
    }

    private void forget() {
        out.dropAdverts();
        in.forgetAdverts();
    }

    private void takeBack(Offer offer) {
        try {
            connection.session().memory().takeBack(offer.region);
        } catch (IOException e) { // the device could write there still
            connection.session().fail(e);
        }
    }

    /** The peer writes nowhere any more, as its stream has ended or the session has failed: its device refuses it. */
    void end() {
        if (!offers.isEmpty()) {
            forget();
            endBehind(0);
        }
    }

    private void endBehind(int remaining) {
        while (offers.size() > remaining) {
            takeBack(offers.removeLast());
        }
    }

    /**
     * Ends the reads that are under way, whatever the peer does: it is asked to let go of the buffers. If it does not
     * answer in time, its device may not write there any more all the same; a write that comes then ends the session.
     *
     * @return bytes that have come into the oldest buffer before, which count as read
     */
    int takeBack() {
        if (offers.isEmpty()) {
            return 0;
        }
        if (out.dropAdverts() < in.advertisedOpen() && connection.mayWriteDirectly()) {
            try {
                Outcome<RdmaConnection> withdrawal = connection.withdraw();
                context.await(connection, withdrawal, System.nanoTime() + END_NANOS);
            } catch (PathException e) {
                LOG.log(System.Logger.Level.DEBUG, "rsockets4j: a buffer is taken back unasked: " + e.getMessage());
            } catch (IOException e) {
                connection.session().fail(e);
            }
        }
        int bytes = in.takeDirect();
        int more = bytes;
        while (more > 0) {
            more = in.takeDirect();
        }
        end();
        return bytes;
    }
}
