/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.core.direct.DirectReceiver;
import io.rsockets4j.core.host.SharedRegion;
import io.rsockets4j.core.shm.ShmLink;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** The receives of a stream over shared memory, and all frames of the peer. See {@link StreamFrame}. */
final class DirectIncoming extends TransferQueue implements DirectReceiver.Wire {
    private static final int RING_BYTES = 512 * 1024;

    private final ShmLink link;
    private final DirectOutgoing outgoing;
    private final Transfers transfers;
    private final Consumer<SharedRegion> forget; // takes the socket's lock
    private final DirectReceiver receiver = new DirectReceiver(this, RING_BYTES, StreamFrame.MAX_RECEIVES);
    private final ByteBuffer frame = ByteBuffer.allocateDirect(StreamFrame.BYTES);
    private final ByteBuffer[] parts = {null, frame};
    private final Event[] offered = new Event[StreamFrame.MAX_RECEIVES]; // by id, those that the receiver has
    private final int[] slotOf = new int[StreamFrame.MAX_RECEIVES];
    private final SharedRegion[] regions = new SharedRegion[StreamFrame.SLOTS];
    private final long[] lastUse = new long[StreamFrame.SLOTS]; // the last receive in that region
    private long nextId;
    private long oldestId;
    private int dataLeft; // bytes of the frame of data that is being read
    private boolean ended;

    DirectIncoming(SocketChannel channel, EventQueue queue, ShmLink link, DirectOutgoing outgoing, Transfers transfers,
            Consumer<SharedRegion> forget) {
        super(channel, queue);
        this.link = link;
        this.outgoing = outgoing;
        this.transfers = transfers;
        this.forget = forget;
    }

    /** News from the peer matter also while nothing is to be received, unless bytes come first. */
    @Override
    boolean wants() {
        return !ended && (dataLeft == 0 || super.wants());
    }

    @Override
    boolean runsAtOnce() {
        return true;
    }

    @Override
    void move() throws IOException {
        receiver.hold(true);
        do {
            offer();
        } while (!ended && (dataLeft > 0 ? readData() : readFrame()));
        receiver.drain();
        receiver.hold(dataLeft > 0 || outgoing.isCongested());
    }

    // ---- receives

    /** Hands pending receives to the receiver. */
    private void offer() {
        int known = (int) (nextId - oldestId);
        if (known == pending.size() || known == StreamFrame.MAX_RECEIVES) {
            return;
        }
        int index = 0;
        for (Event receive : pending) {
            if (index++ >= known && nextId - oldestId < StreamFrame.MAX_RECEIVES) {
                offer(receive);
            }
        }
    }

    private void offer(Event receive) {
        int at = (int) (nextId % StreamFrame.MAX_RECEIVES);
        int slot = isDirect(receive) ? slotFor(receive.region) : -1;
        offered[at] = receive;
        slotOf[at] = slot;
        receiver.receive(nextId, receive.data.capacity(), receive.waitAll, slot >= 0);
        nextId++;
    }

    private boolean isDirect(Event receive) {
        return receive.region != null && !receive.region.isClosed() && !outgoing.isCongested()
                && transfers != Transfers.RING
                && (transfers == Transfers.DIRECT || receive.data.capacity() >= StreamFrame.MIN_DIRECT_BYTES);
    }

    /** The slot of a region, of which the peer is told; or -1 while all slots are in use. */
    private int slotFor(SharedRegion region) {
        int found = -1;
        for (int slot = 0; slot < regions.length; slot++) {
            if (regions[slot] == region) {
                lastUse[slot] = nextId;
                return slot;
            }
            if (regions[slot] == null || lastUse[slot] < oldestId
                    && (found < 0 || regions[found] != null && lastUse[slot] < lastUse[found])) {
                found = found >= 0 && regions[found] == null ? found : slot;
            }
        }
        if (found >= 0) {
            replace(found, region);
            lastUse[found] = nextId;
        }
        return found;
    }

    private void replace(int slot, SharedRegion region) {
        if (regions[slot] != null) {
            regions[slot].users().remove(forget);
        }
        regions[slot] = region;
        if (region == null) {
            outgoing.put(StreamFrame.Type.REGION, slot, 0, 0, 0, 0);
        } else {
            region.users().add(forget);
            outgoing.put(StreamFrame.Type.REGION, slot, region.bytes(), region.ownerHigh(), region.ownerLow(),
                    region.number());
        }
    }

    /** The program has let go of a region, which no operation uses. */
    void forget(SharedRegion region) {
        for (int slot = 0; slot < regions.length; slot++) {
            if (regions[slot] == region && !outgoing.isCongested()) {
                replace(slot, null);
            }
        }
    }

    // ---- what the peer says

    private boolean readFrame() throws IOException {
        if (frame.hasRemaining()) {
            int bytes = channel.read(frame);
            if (bytes < 0) {
                end();
            }
            if (frame.hasRemaining()) {
                return bytes > 0;
            }
        }
        frame.flip();
        serve(StreamFrame.type(frame), StreamFrame.slot(frame), StreamFrame.length(frame));
        frame.clear();
        return true;
    }

    private void end() throws IOException {
        if (frame.position() > 0) {
            throw new EOFException("The connection has ended within a frame");
        }
        ended = true;
        receiver.ended(receiver.delivered());
    }

    private void serve(StreamFrame.Type type, int slot, int length) throws IOException {
        switch (type) {
            case DATA -> {
                StreamFrame.check(length > 0);
                dataLeft = length;
            }
            case WRITTEN -> written(length);
            case ADVERT, ADVERT_ALL -> outgoing.advert(slot, type == StreamFrame.Type.ADVERT_ALL, length,
                    StreamFrame.first(frame), StreamFrame.second(frame), StreamFrame.third(frame));
            case REGION -> outgoing.region(slot, length, StreamFrame.first(frame), StreamFrame.second(frame),
                    (int) StreamFrame.third(frame));
        }
    }

    private void written(int length) throws IOException {
        Event receive = pending.peek();
        receiver.directArrived(length);
        link.arrivedDirect(length);
        if (receive != null && receive == pending.peek()) {
            receive.data.position(receive.data.position() + length);
        }
    }

    /** Reads bytes of the ring into the oldest receive, and the next frame behind them. */
    private boolean readData() throws IOException {
        Event receive = pending.peek();
        if (receive == null) {
            return false;
        }
        ByteBuffer data = receive.data;
        int before = data.position();
        int wanted = Math.min(dataLeft, Math.min(RING_BYTES, data.remaining()));
        long read;
        data.limit(before + wanted);
        try {
            parts[0] = data;
            read = wanted == dataLeft ? channel.read(parts) : channel.read(data);
        } finally {
            data.limit(data.capacity());
        }
        int bytes = data.position() - before;
        if (read < 0) {
            throw new EOFException("The connection has ended within a frame");
        }
        if (bytes > 0) {
            dataLeft -= bytes;
            receiver.ringArrived(bytes);
            receiver.drain();
        }
        return read > 0;
    }

    // ---- what the receiver wants

    @Override
    public void advertise(long phase, long sequence, long id, int offset, int length, boolean waitAll) {
        int at = (int) (id % StreamFrame.MAX_RECEIVES);
        outgoing.put(waitAll ? StreamFrame.Type.ADVERT_ALL : StreamFrame.Type.ADVERT, slotOf[at], length, phase,
                sequence, offered[at].place + offset);
    }

    @Override
    public void acknowledge(long total) { }

    @Override
    public void withdraw(long phase) { }

    /** The bytes are there already: they were read into the oldest receive. */
    @Override
    public void copy(long position, long id, int offset, int length) { }

    @Override
    public void completed(long id, int bytes, DirectReceiver.Ending ending) {
        offered[(int) (id % StreamFrame.MAX_RECEIVES)] = null;
        oldestId = id + 1;
        end(bytes == 0 && ending == DirectReceiver.Ending.END ? -1 : bytes, null);
    }

    /** No byte is to land in a buffer whose receive has ended. */
    @Override
    void failed() {
        link.shutGate();
        ended = true;
        for (SharedRegion region : regions) {
            if (region != null) {
                region.users().remove(forget);
            }
        }
    }
}
