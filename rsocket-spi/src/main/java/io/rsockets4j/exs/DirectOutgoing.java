/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.core.direct.DirectSender;
import io.rsockets4j.core.host.PeerRegion;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.shm.ShmLink;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The sends of a stream over shared memory, each piece of which goes into a buffer of the peer or by the ring; and all
 * frames of this side. See {@link StreamFrame}.
 */
final class DirectOutgoing extends Outgoing implements DirectSender.Wire {
    private static final Log LOG = Log.of(DirectOutgoing.class);
    private static final int FRAMES = 512;
    private static final int MANY_FRAMES = FRAMES - 4 * StreamFrame.MAX_RECEIVES;
    private static final int CHUNK_BYTES = 256 * 1024; // in one look at the peer's gate
    private static final int MIN_PIECE = 512; // less than what a ring that is ready has room for

    private final ShmLink link;
    private final DirectSender sender;
    private final ByteBuffer frames = ByteBuffer.allocateDirect(FRAMES * StreamFrame.BYTES); // to be sent; written to
    private final ByteBuffer header = ByteBuffer.allocateDirect(StreamFrame.BYTES).limit(0);
    private final ByteBuffer[] parts = {header, null};
    private final PeerRegion[] regions = new PeerRegion[StreamFrame.SLOTS];
    private int pieceLeft; // bytes of the frame of data that has begun
    private boolean ended; // no frame may follow

    DirectOutgoing(SocketChannel channel, EventQueue queue, ShmLink link, Transfers transfers) {
        super(channel, queue, SocketType.STREAM);
        this.link = link;
        sender = new DirectSender(this, transfers == Transfers.DIRECT ? 0 : Integer.MAX_VALUE,
                StreamFrame.MAX_RECEIVES);
    }

    // ---- frames

    /** Whether frames have to wait, or none can be sent any more. */
    boolean isCongested() {
        return ended || frames.position() >= MANY_FRAMES * StreamFrame.BYTES;
    }

    /** Sends a frame soon. The caller has seen to it that there is room. */
    void put(StreamFrame.Type type, int slot, int length, long first, long second, long third) {
        StreamFrame.put(frames, type, slot, length, first, second, third);
    }

    /** Whether all is sent. */
    private boolean flush() throws IOException {
        if (pieceLeft > 0 || header.hasRemaining()) {
            channel.write(parts);
            pieceLeft = parts[1].remaining();
            if (header.hasRemaining() || pieceLeft > 0) {
                return false;
            }
        }
        if (frames.position() > 0) {
            frames.flip();
            try {
                channel.write(frames);
            } finally {
                frames.compact();
            }
        }
        return frames.position() == 0;
    }

    // ---- sends

    @Override
    boolean wants() {
        return frames.position() > 0 || header.hasRemaining() || pieceLeft > 0 || super.wants() && sender.ready();
    }

    @Override
    boolean sendAll() throws IOException {
        while (flush()) {
            if (pending.isEmpty()) {
                return true;
            }
            ByteBuffer data = pending.peek().data;
            if (!data.hasRemaining()) {
                end(data.limit(), null);
            } else if (!sendPiece(data)) {
                return false;
            }
        }
        return false;
    }

    private boolean sendPiece(ByteBuffer data) throws IOException {
        if (ended) {
            channel.write(data); // which says that the output is shut
        }
        int wanted = data.remaining();
        if (!sender.isDirect()) {
            wanted = Math.min(wanted, link.room(wanted + StreamFrame.BYTES) - StreamFrame.BYTES);
            if (wanted < Math.min(data.remaining(), MIN_PIECE)) {
                return false;
            }
        }
        boolean direct = sender.isDirect();
        boolean sent = sender.send(wanted) > 0;
        if (sent && !direct) {
            sender.acknowledged(sender.sent() - sender.sentDirectly()); // the link sees to it that there is room
        }
        return sent;
    }

    @Override
    public void writeBuffer(long address, long key, int length) {
        ByteBuffer data = pending.peek().data;
        ByteBuffer memory = regions[(int) key].memory();
        for (int done = 0; done < length; done += CHUNK_BYTES) {
            int chunk = Math.min(CHUNK_BYTES, length - done);
            if (!link.beginDirect()) {
                data.position(data.position() + length - done); // nobody waits for it any more
                break;
            }
            try {
                memory.put((int) address + done, data, data.position(), chunk);
            } finally {
                link.endDirect(chunk);
            }
            data.position(data.position() + chunk);
        }
        put(StreamFrame.Type.WRITTEN, 0, length, 0, 0, 0);
    }

    @Override
    public void writeRing(long position, int length) {
        ByteBuffer data = pending.peek().data;
        StreamFrame.put(header.clear(), StreamFrame.Type.DATA, 0, length, 0, 0, 0);
        header.flip();
        parts[1] = data.slice(data.position(), length);
        pieceLeft = length;
        data.position(data.position() + length);
    }

    @Override
    public void withdrawn() { }

    @Override
    public void end(long total) { }

    @Override
    void shut() throws IOException {
        ended = true;
        super.shut();
    }

    // ---- what the peer says

    void advert(int slot, boolean waitAll, int length, long phase, long sequence, long offset)
            throws SocketException {
        PeerRegion region = regions[slot];
        if (region == null) {
            sender.decline();
        } else {
            StreamFrame.check(length > 0 && offset >= 0 && offset <= region.memory().capacity() - length);
            sender.advert(phase, sequence, offset, slot, length, waitAll);
        }
    }

    /** The peer uses a slot for another region from now on, or with no bytes for none. */
    void region(int slot, int bytes, long high, long low, int number) {
        forget(slot);
        if (bytes > 0) {
            try {
                regions[slot] = link.regions().open(high, low, number, bytes);
            } catch (IOException e) { // it may have gone meanwhile
                LOG.log(System.Logger.Level.DEBUG, "a region of a peer cannot be mapped", e);
            }
        }
    }

    private void forget(int slot) {
        if (regions[slot] != null) {
            sender.decline(); // a peer that keeps to the rules has no advert for it
            regions[slot].close();
            regions[slot] = null;
        }
    }

    @Override
    void failed() {
        ended = true;
        frames.clear();
        header.limit(0);
        pieceLeft = 0;
        for (int slot = 0; slot < regions.length; slot++) {
            forget(slot);
        }
    }
}
