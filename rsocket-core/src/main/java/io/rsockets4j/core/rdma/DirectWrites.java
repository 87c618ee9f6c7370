/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * The writes of a link that go from the program's buffers straight into those that the peer's reads wait with, oldest
 * first. The sending direction's. A buffer's memory is registered for one write and no longer, as a program may free it
 * afterwards, unless it has said that it does not.
 */
final class DirectWrites {
    private static final int MAX = 32;

    /** A buffer, which bytes of the stream come from there, and what memory it is a part of that stays registered. */
    private record Loan(ByteBuffer buffer, MemoryRegion region, SourceMemory kept, LentBytes.Part part) { }

    private final RdmaContext context;
    private final RdmaConnection connection;
    private final SendSide out;
    private final Refusal refusal = new Refusal();
    private final Refusal refusedForLong = new Refusal();
    private final ArrayDeque<Loan> loans = new ArrayDeque<>(1);
    private volatile LentBytes.Part oldest; // null while none is under way; written by the sending direction

    DirectWrites(RdmaContext context, RdmaConnection connection) {
        this.context = context;
        this.connection = connection;
        out = connection.out();
    }

    /** Whether a write is under way. Any thread. */
    boolean isUnderWay() {
        return oldest != null;
    }

    /** Whether the peer's device has all of the oldest write. Any thread, while one is under way. */
    boolean isAcknowledged() {
        LentBytes.Part part = oldest;
        return part == null || part.isAcknowledged();
    }

    /**
     * Sends the next bytes from the buffer itself, as many as the peer's buffers take, if both are worth it. The writes
     * before are under way as a whole.
     *
     * @param of of what the buffer is a part, null where that may be freed after the write
     * @param minBytes what is worth it
     * @return whether all of its bytes are under way
     */
    boolean begin(ByteBuffer src, SourceMemory.Part of, int minBytes) {
        for (Loan loan : loans) {
            if (loan.buffer == src) {
                return loan.part.length() == src.remaining();
            }
        }
        if (!src.isDirect() || src.isReadOnly() || loans.size() == MAX || isCutShort()) {
            return false;
        }
        int wanted = (int) Math.min(src.remaining(), out.advertisedBytes());
        if (wanted < minBytes && !(context.directOnly() && wanted > 0)) {
            return false;
        }
        SessionMemory registered = connection.session().memory();
        MemoryRegion region = of == null ? null : keep(registered, of.memory());
        if (region != null) {
            return write(src, region, of.memory(), region.address() + of.offset() + src.position(), wanted);
        }
        if (refusal.lasts()) {
            return false;
        }
        int limit = src.limit();
        try {
            region = registered.lend(src.limit(src.position() + wanted), false);
        } catch (IOException e) {
            refusal.begin();
            context.warnOnce("rsockets4j: writes go by a ring, not straight from the program's buffers: ", e);
            return false;
        } finally {
            src.limit(limit);
        }
        return region != null && write(src, region, null, region.address(), wanted);
    }

    private MemoryRegion keep(SessionMemory registered, SourceMemory memory) {
        if (refusedForLong.lasts()) {
            return registered.kept(memory);
        }
        MemoryRegion region = registered.keep(memory);
        if (region == null) {
            refusedForLong.begin();
        }
        return region;
    }

    /** Whether another link has taken over, and bytes of the last write are to be sent again before others. */
    private boolean isCutShort() {
        Loan last = loans.peekLast();
        return last != null && last.part.isAcknowledged() && last.part.arrived() < last.part.length();
    }

    private boolean write(ByteBuffer src, MemoryRegion region, SourceMemory kept, long address, int length) {
        LentBytes.Part part = out.lend(region, address, length);
        if (part == null) { // the peer has taken its buffers back meanwhile
            if (kept == null) {
                takeBack(region, null);
            }
            return false;
        }
        loans.addLast(new Loan(src, region, kept, part));
        oldest = loans.getFirst().part;
        try {
            out.postLent();
        } catch (IOException e) {
            connection.session().fail(e); // if another link takes over, it tells how many of them have arrived
        }
        return part.length() == src.remaining();
    }

    private void takeBack(MemoryRegion region, SourceMemory kept) {
        SessionMemory memory = connection.session().memory();
        try {
            if (kept == null) {
                memory.takeBack(region);
            } else {
                memory.takeBack(kept, region);
            }
        } catch (IOException e) { // the device could read it still
            connection.session().fail(e);
        }
    }

    /** Ends the oldest write, which {@link #isAcknowledged}. Returns how many of its bytes are sent. */
    int finish() {
        LentBytes.Part part = oldest;
        int sent = endOldest();
        if (sent < part.length()) { // another link has taken over, and no byte behind has arrived
            end();
        }
        return sent;
    }

    private int endOldest() {
        Loan ended = loans.removeFirst();
        boolean acknowledged = ended.part.isAcknowledged();
        if (ended.kept == null || !acknowledged) { // in the latter case the device could still read there
            takeBack(ended.region, ended.kept);
        }
        Loan next = loans.peekFirst();
        oldest = next == null ? null : next.part;
        if (!acknowledged) {
            return ended.part.length();
        }
        out.finishLent();
        return ended.part.arrived();
    }

    /** No byte is read from the buffers any more. Returns how many of the oldest one count as sent. */
    int end() {
        int sent = oldest == null ? 0 : endOldest();
        while (oldest != null) {
            endOldest();
        }
        return sent;
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
     * Ends the writes that are under way, whatever the peer does: waits a moment until its device has all. If that
     * takes too long, this side's device may not read the buffers any more all the same, and the session ends.
     *
     * @return bytes of the oldest buffer that count as sent
     */
    int reclaim() {
        if (oldest == null) {
            return 0;
        }
        if (connection.failure() == null) {
            Outcome<RdmaConnection> acknowledged = connection.awaitLent();
            try {
                context.await(connection, acknowledged, System.nanoTime() + DirectReads.END_NANOS);
            } catch (IOException e) {
                leaveLink(acknowledged, e);
            }
        }
        return end();
    }
}
