/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;

import io.rsockets4j.core.fabric.LinkWaiters;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.OutOfLine;
import io.rsockets4j.core.fabric.RingLink;
import io.rsockets4j.core.fabric.SelectorWaiter;
import io.rsockets4j.core.fabric.SpinHistory;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.ring.RingCorruptedException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A connection over shared memory: one slot of a {@link Session}, seen from one side. */
final class ShmLink extends RingLink {
    /** In place of a lane in the reader's arm: the reader has closed. */
    private static final long READER_CLOSED = -1;
    private static final OutOfLine RING =
            new OutOfLine(MethodHandles.lookup(), "ringArmed", ByteBuffer.class, int.class);

    private final Session session;
    private final int slot;
    private final long generation;
    private final LocalPort port;
    private final ByteBuffer control;
    private final ByteBuffer outControl;
    private final ByteBuffer inControl;
    private final ShmSendRing out;
    private final ShmReceiveRing in;
    private boolean peerClosed; // sending direction: the peer has closed, and one send was lost on it
    private volatile boolean broken; // receiving direction: the peer's counters make no sense

    /**
     * Creates one side of a connection.
     *
     * @param session the two processes
     * @param slots the slot's file
     * @param slot the slot's number in the session
     * @param generation which connection in that slot
     * @param request what the initiator asked for
     * @param port the initiator's local port, null on the acceptor's side
     */
    ShmLink(Session session, SlotFile slots, int slot, long generation, ConnectEntry request, LocalPort port) {
        super(request.local(session.side()), request.remote(session.side()),
                waitersOf(session, slots, slot), new SpinHistory(session.context().spinPolicy(), session.readSpins()),
                new SpinHistory(session.context().spinPolicy()));
        this.session = session;
        this.slot = slot;
        this.generation = generation;
        this.port = port;
        int slotInFile = slot % slots.slots();
        int outRing = session.side();
        int inRing = 1 - outRing;
        control = slots.control(slotInFile);
        outControl = slots.ringControl(slotInFile, outRing);
        inControl = slots.ringControl(slotInFile, inRing);
        int outBytes = request.ringBytes(outRing, slots.ringBytes());
        out = new ShmSendRing(outControl, slots.ring(slotInFile, outRing, outBytes),
                () -> slots.commitWhole(slotInFile, outRing, outBytes));
        in = new ShmReceiveRing(inControl,
                slots.ring(slotInFile, inRing, request.ringBytes(inRing, slots.ringBytes())));
    }

    private static LinkWaiters waitersOf(Session session, SlotFile slots, int slot) {
        int slotInFile = slot % slots.slots();
        return new ShmWaiters(slots.ringControl(slotInFile, 1 - session.side()),
                slots.ringControl(slotInFile, session.side()));
    }

    @Override
    public String path() {
        return ShmFabric.NAME;
    }

    /** The sender's own count, which outlives the mapped one; a plain load, whose age does not matter here. */
    @Override
    public long bytesSent() {
        return out.tail();
    }

    /** The receiver's own count; see {@link #bytesSent}. */
    @Override
    public long bytesReceived() {
        return in.head();
    }

    @Override
    public long creditBytes() {
        return out.credit();
    }

    int slot() {
        return slot;
    }

    long generation() {
        return generation;
    }

    LocalPort port() {
        return port;
    }

    // ---- data

    @Override
    public int receive(ByteBuffer dst) throws IOException {
        if (isInputShut() || broken) {
            return receiveNothing(dst);
        }
        int read;
        try {
            read = in.read(dst);
        } catch (RingCorruptedException e) {
            throw broken(e);
        }
        if (read > 0) {
            VarHandle.fullFence(); // the credit before the arm: pairs with the fence in arm
            // acquire: the tail that the writer had when it armed; pairs with the release in ShmWaiters.armed
            if (Words.getAcquire(inControl, WRITER_ARM) != 0 && in.hasAmpleCredit()) {
                ring(inControl, WRITER_ARM);
            }
            return read;
        }
        return receiveNothing(dst);
    }

    private int receiveNothing(ByteBuffer dst) throws IOException {
        if (isInputShut()) {
            return EOF;
        }
        if (broken) {
            throw new SocketException("Connection reset");
        }
        if (!dst.hasRemaining()) {
            return 0;
        }
        if (in.isFinished()) {
            return endOfStream(in.isReset());
        }
        if (session.isPeerGone() && in.isDrained()) { // look again: it may have sent just before it went
            return in.isFinished() ? endOfStream(in.isReset()) : endOfStream(session.isBroken() || !out.isDrained());
        }
        return 0;
    }

    private static int endOfStream(boolean reset) throws IOException {
        if (reset) {
            throw new SocketException("Connection reset");
        }
        return EOF;
    }

    private IOException broken(RingCorruptedException cause) {
        broken = true; // the peer sees a reset when this side closes
        rung(); // whoever waits in the other direction would wait for ever
        return cause;
    }

    @Override
    public int sendUrgent(ByteBuffer src) throws IOException {
        checkOutput();
        boolean mayGo;
        try {
            mayGo = out.markUrgent() || session.isPeerGone();
        } catch (RingCorruptedException e) {
            throw broken(e);
        }
        return mayGo ? send(src) : 0;
    }

    @Override
    public void urgentInline(boolean on) {
        in.urgentInline(on);
        VarHandle.fullFence(); // the flag before the waiters: pairs with the fence in arm
        rung(); // a byte that would have been dropped may be readable now
    }

    private void checkOutput() throws IOException {
        if (isOutputShut() || peerClosed || broken) {
            throw new IOException("Broken pipe");
        }
    }

    @Override
    public int send(ByteBuffer src) throws IOException {
        checkOutput();
        if (session.isPeerGone()) {
            return sendToClosed(src, 0);
        }
        int sent;
        try {
            sent = out.write(src);
        } catch (RingCorruptedException e) {
            throw broken(e);
        }
        sent();
        VarHandle.fullFence(); // the bytes before the arm: pairs with the fence in arm
        long arm = Words.getOpaque(outControl, READER_ARM);
        if (arm != 0) {
            return sendToArmed(src, sent, arm);
        }
        return sent;
    }

    private int sendToArmed(ByteBuffer src, int sent, long arm) {
        if (arm == READER_CLOSED) {
            return sendToClosed(src, sent);
        }
        if (sent > 0) {
            ring(outControl, READER_ARM);
        }
        return sent;
    }

    /** As over TCP the first write to a peer that has closed is taken and lost; the next one fails. */
    private int sendToClosed(ByteBuffer src, int sent) {
        peerClosed = true;
        int lost = src.remaining();
        src.position(src.limit());
        return sent + lost;
    }

    // ---- readiness and waiting

    @Override
    public boolean isReady(int op) {
        if (isClosing() || broken || session.isPeerGone()) {
            return true;
        }
        return op == OP_READ ? isInputShut() || in.isReadable() : isOutputShut() || out.isWritable();
    }

    @Override
    protected boolean isKnownReady(int op) {
        return isReady(op); // the rings are all there is to know
    }

    @Override
    protected boolean isPeerGone() {
        return session.isPeerGone();
    }

    @Override
    protected int unread() {
        return in.available();
    }

    @Override
    protected void park(int op, long deadlineNanos) {
        LaneParker parker = VirtualThreads.isVirtual() ? null : session.borrowParker();
        if (parker == null) {
            super.park(op, deadlineNanos); // the doorbell thread rings
            return;
        }
        try {
            // Parked first, then armed: a ring that finds nobody parked is lost, and takes the arm with it. The peer
            // rings a writer by the tail that it last saw, so perhaps before this side finds enough room.
            parker.prepare();
            arm(op, parker, parker.lane());
            if (!isReady(op)) {
                parker.sleep(deadlineNanos);
            }
        } finally {
            parker.awake();
            disarm(parker);
            session.giveBack(parker);
        }
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        arm(ops, waiter, waiter instanceof SelectorWaiter selector ? session.laneOf(selector) : 0);
    }

    private void ringPeer() {
        VarHandle.fullFence(); // what the peer is to see before its arms: pairs with the fence in arm
        ring(outControl, READER_ARM);
        ring(inControl, WRITER_ARM);
    }

    private boolean ring(ByteBuffer ringControl, int arm) {
        try {
            return (boolean) RING.handle().invokeExact(this, ringControl, arm);
        } catch (Throwable e) {
            throw OutOfLine.unchecked(e);
        }
    }

    /** Rings whom the peer has armed, if anybody; whether that one slept. */
    private boolean ringArmed(ByteBuffer ringControl, int arm) {
        long armed = Words.getAndSetVolatile(ringControl, arm, 0);
        if (armed == READER_CLOSED) {
            Words.putRelease(ringControl, arm, READER_CLOSED); // pairs with the load in send
        }
        if (armed <= 0 || armed > SessionDescriptor.LANES) {
            return false;
        }
        Runnable afterwards = waiters().observer().onRing();
        boolean slept = session.ring((int) armed - 1, slot);
        if (slept && afterwards != null) {
            afterwards.run();
        }
        return slept;
    }

    // ---- the end

    @Override
    protected void finish() {
        out.finish(false);
        ringPeer();
    }

    @Override
    protected void end(boolean reset) {
        out.finish(broken || reset);
        in.close();
        Words.putRelease(inControl, READER_ARM, READER_CLOSED); // pairs with the load in send
        ringPeer();
    }

    @Override
    protected void release() {
        session.detach(this);
    }

    /** The acceptor lets go of the slot, as its last access to it. */
    void releaseSlot() {
        Words.putRelease(control, SlotDescriptor.RELEASED, generation); // pairs with isSlotReleased
    }

    /** Whether the acceptor has let go of the slot. */
    boolean isSlotReleased() {
        return Words.getAcquire(control, SlotDescriptor.RELEASED) == generation; // pairs with releaseSlot
    }
}
