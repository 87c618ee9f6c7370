/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.GATE;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SHUT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SLEEPER;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITING;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.RingLink;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.host.SharedRegions;
import io.rsockets4j.core.shm.ring.ReceiveRing;
import io.rsockets4j.core.shm.ring.RingCorruptedException;
import io.rsockets4j.core.shm.ring.SendRing;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import io.rsockets4j.core.shm.ring.SlotFile;
import io.rsockets4j.core.shm.ring.SlotSleeper;
import io.rsockets4j.core.shm.ring.Words;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * A connection over shared memory: one slot of a {@link Session}, seen from one side. Beside its rings, a sender may
 * write into memory that the receiver has offered, by means of its own, as long as the receiver's gate is open.
 */
public final class ShmLink extends RingLink {
    /** The path's name in settings and reports. */
    static final String PATH = "shm";

    private final ShmWaiters waiters;
    private final Session session;
    private final int slot;
    private final long generation;
    private final LocalPort port; // null on the acceptor's side
    private long closedNanos; // when it began to linger; guarded by the pool's lock
    private boolean portGone; // guarded by the pool's lock
    private final ByteBuffer control;
    private final ByteBuffer outControl;
    private final ByteBuffer inControl;
    private static final long GATE_NANOS = 250_000_000;
    private static final long GATE_PAUSE_NANOS = 20_000;
    private long directSent; // sending direction; others read it for reports
    private long directReceived; // receiving direction; the same
    private final SendRing out;
    private final ReceiveRing in;

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
        this(session, slots, slot, generation, request, port, waitersOf(session, slots, slot));
    }

    private ShmLink(Session session, SlotFile slots, int slot, long generation, ConnectEntry request, LocalPort port,
            ShmWaiters waiters) {
        super(request.local(session.side()), request.remote(session.side()), waiters,
                session.context().spinPolicy());
        this.waiters = waiters;
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
        out = new SendRing(outControl, slots.ring(slotInFile, outRing, outBytes),
                new SlotFile.WholeRing(slots, slotInFile, outRing, outBytes));
        in = new ReceiveRing(inControl,
                slots.ring(slotInFile, inRing, request.ringBytes(inRing, slots.ringBytes())));
    }

    private static ShmWaiters waitersOf(Session session, SlotFile slots, int slot) {
        int slotInFile = slot % slots.slots();
        return new ShmWaiters(slots.ringControl(slotInFile, 1 - session.side()),
                slots.ringControl(slotInFile, session.side()));
    }

    @Override
    public String path() {
        return PATH;
    }

    /** The sender's own count, which outlives the mapped one; a plain load, whose age does not matter here. */
    @Override
    public long bytesSent() {
        return out.tail() + directSent;
    }

    /** The receiver's own count; see {@link #bytesSent}. */
    @Override
    public long bytesReceived() {
        return in.head() + directReceived;
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

    /** It lingers from now on. Under the lock of the pool of slots, as those below. */
    void linger() {
        closedNanos = System.nanoTime();
    }

    /** Whether it lingers for longer than a time. */
    boolean hasLingered(long nanos) {
        return System.nanoTime() - closedNanos >= nanos;
    }

    /** Gives its local port back; whether it had one until now. */
    boolean releasePort() {
        boolean held = port != null && !portGone;
        if (held) {
            portGone = true;
            port.release();
        }
        return held;
    }

    // ---- data

    @Override
    public int receive(ByteBuffer dst) throws IOException {
        if (is(INPUT_SHUT | BROKEN)) {
            return receiveNothing(dst);
        }
        try {
            int read = in.read(dst);
            if (read > 0) {
                VarHandle.fullFence(); // the credit before the arm: pairs with the fence in arm
                // acquire: the tail that the writer had when it armed; pairs with the release in ShmWaiters.armed
                if (Words.getAcquire(inControl, WRITER_ARM) != 0 && in.hasAmpleCredit()) {
                    wakePeer(inControl, WRITER_ARM);
                }
                return read;
            }
            return receiveNothing(dst);
        } catch (RingCorruptedException e) {
            throw broken(e);
        } catch (InternalError e) {
            faulted(e);
            throw new SocketException("Connection reset");
        }
    }

    private int receiveNothing(ByteBuffer dst) throws IOException {
        if (is(INPUT_SHUT)) {
            return EOF;
        }
        if (is(BROKEN)) {
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
        breakUp();
        return cause;
    }

    /** Nothing of the peer's is to be believed any more: this side sees a reset. */
    void breakUp() {
        set(BROKEN); // the peer sees a reset when this side closes
        wake(); // whoever waits in the other direction would wait for ever
    }

    @Override
    protected void faulted(InternalError error) {
        session.faulted(error);
    }

    private IOException broken(InternalError fault) {
        faulted(fault);
        return new IOException("Broken pipe");
    }

    @Override
    public int sendUrgent(ByteBuffer src) throws IOException {
        checkOutput();
        boolean mayGo;
        try {
            mayGo = out.markUrgent() || session.isPeerGone() || out.isPeerClosed();
        } catch (RingCorruptedException e) {
            throw broken(e);
        } catch (InternalError e) {
            throw broken(e);
        }
        return mayGo ? send(src) : 0;
    }

    @Override
    public void urgentInline(boolean on) {
        in.urgentInline(on);
        VarHandle.fullFence(); // the flag before the waiters: pairs with the fence in arm
        wake(); // a byte that would have been dropped may be readable now
    }

    private void checkOutput() throws IOException {
        if (is(OUTPUT_SHUT | SEND_LOST | BROKEN)) {
            throw new IOException("Broken pipe");
        }
    }

    @Override
    public int send(ByteBuffer src) throws IOException {
        checkOutput();
        if (session.isPeerGone()) {
            return sendToClosed(src, 0);
        }
        try {
            int sent = out.write(src);
            sent();
            VarHandle.fullFence(); // the bytes before the arm: pairs with the fence in arm
            long arm = Words.getOpaque(outControl, READER_ARM);
            if (arm != NOBODY || sent == 0) {
                return sendToArmed(src, sent, arm);
            }
            return sent;
        } catch (RingCorruptedException e) {
            throw broken(e);
        } catch (InternalError e) {
            throw broken(e);
        }
    }

    /** A peer may say in one word that it has closed and not in the other: no wait is to rely on what no send sees. */
    private int sendToArmed(ByteBuffer src, int sent, long arm) {
        if (arm == READER_CLOSED || sent == 0 && src.hasRemaining() && out.isPeerClosed()) {
            return sendToClosed(src, sent);
        }
        if (sent > 0) {
            wakePeer(outControl, READER_ARM);
        }
        return sent;
    }

    /** As over TCP the first write to a peer that has closed is taken and lost; the next one fails. */
    private int sendToClosed(ByteBuffer src, int sent) {
        set(SEND_LOST);
        int lost = src.remaining();
        src.position(src.limit());
        return sent + lost;
    }

    // ---- past the rings

    @Override
    public long directBytesSent() {
        return directSent;
    }

    @Override
    public long directBytesReceived() {
        return directReceived;
    }

    /**
     * The regions of this process and of its peers.
     *
     * @return the same for all links
     */
    public SharedRegions regions() {
        return session.context().regions();
    }

    /**
     * How many bytes {@link #send} would take now. By the sending direction.
     *
     * @param wanted it need not be more
     * @return zero or more; all that is wanted once sends fail or are lost
     * @throws IOException "Broken pipe", or that the peer claims what cannot be
     */
    public int room(int wanted) throws IOException {
        checkOutput();
        try {
            return session.isPeerGone() || out.isPeerClosed() ? wanted : out.room(wanted);
        } catch (RingCorruptedException e) {
            throw broken(e);
        } catch (InternalError e) {
            throw broken(e);
        }
    }

    /**
     * Begins to write into memory of the peer. By the sending direction, which calls {@link #endDirect} soon: the peer
     * waits for that if it closes meanwhile.
     *
     * @return false if the peer allows it no more, and never will
     */
    public boolean beginDirect() {
        try {
            return Words.getAcquire(outControl, GATE) == 0 // a load first, whose fault is no end of the JVM
                    && Words.compareAndSet(outControl, GATE, 0, WRITING); // pairs with getAndOrVolatile in shutGate
        } catch (InternalError e) {
            faulted(e);
            return false;
        }
    }

    /**
     * Ends what {@link #beginDirect} began.
     *
     * @param bytes that were written
     */
    public void endDirect(int bytes) {
        directSent += bytes;
        try {
            if (!Words.compareAndSet(outControl, GATE, WRITING, 0)) {
                Words.putRelease(outControl, GATE, SHUT); // the bytes before it; pairs with the load in shutGate
            }
        } catch (InternalError e) {
            faulted(e);
        }
    }

    /**
     * The peer has written into memory of this side. By the receiving direction.
     *
     * @param bytes how many
     */
    public void arrivedDirect(int bytes) {
        directReceived += bytes;
    }

    /**
     * From now on the peer writes into no memory of this side, for this connection. Waits while it does, a quarter of a
     * second at most: the peer may be stopped. Idempotent.
     */
    public void shutGate() {
        try {
            Words.getAcquire(inControl, GATE); // a load first, whose fault is no end of the JVM
            Words.getAndOrVolatile(inControl, GATE, SHUT); // pairs with compareAndSet in beginDirect
            long start = System.nanoTime();
            while ((Words.getAcquire(inControl, GATE) & WRITING) != 0 // pairs with the release in endDirect
                    && !session.isPeerGone() && System.nanoTime() - start < GATE_NANOS) {
                LockSupport.parkNanos(GATE_PAUSE_NANOS);
            }
        } catch (InternalError e) {
            faulted(e);
        }
    }

    // ---- readiness and waiting

    @Override
    public boolean isReady(int op) {
        if (is(CLOSING | BROKEN) || session.isPeerGone()) {
            return true;
        }
        try {
            return op == OP_READ ? is(INPUT_SHUT) || in.isReadable() : is(OUTPUT_SHUT) || out.isWritable();
        } catch (InternalError e) {
            faulted(e);
            return true;
        }
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
        try {
            return in.available();
        } catch (InternalError e) {
            faulted(e);
            return 0;
        }
    }

    @Override
    protected void park(int op, long deadlineNanos) {
        boolean virtual = VirtualThreads.isVirtual();
        if (virtual) {
            Thread.yield(); // the carrier has others to run, and what is waited for may come meanwhile
            if (!isReady(op)) {
                park(op, deadlineNanos, session.bellForVirtual());
            }
            return;
        }
        Futex futex = Futex.get();
        SlotSleeper sleeper = waiters.sleeper(op);
        if (futex == null || !sleeper.enter()) {
            sleeper.leave();
            super.park(op, deadlineNanos); // the service thread wakes it
            return;
        }
        Runnable stallEnded = op == OP_WRITE ? waiters.stalled() : null;
        try {
            // Pairs with whoever changes something, or interrupts, and wakes afterwards.
            if (!isReady(op) && !Thread.currentThread().isInterrupted()) {
                sleeper.sleep(futex, deadlineNanos == Long.MAX_VALUE ? deadlineNanos
                        : deadlineNanos - System.nanoTime());
            }
        } finally {
            sleeper.leave();
            if (stallEnded != null) {
                stallEnded.run();
            }
        }
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        waiter.expectNotes(session);
        try {
            super.arm(ops, waiter);
        } catch (InternalError e) {
            faulted(e);
            waiter.wake(this);
        }
    }

    private void wakePeer() {
        VarHandle.fullFence(); // what the peer is to see before its arms: pairs with the fence in arm
        wakePeer(outControl, READER_ARM);
        wakePeer(inControl, WRITER_ARM);
    }

    /** Wakes whom the peer has armed in a word, if anybody. */
    private void wakePeer(ByteBuffer ringControl, int word) {
        long armed = Words.getAndSetVolatile(ringControl, word, NOBODY);
        if (armed == READER_CLOSED) {
            Words.putRelease(ringControl, word, READER_CLOSED); // pairs with the load in send
        }
        if (armed <= NOBODY) {
            return;
        }
        Runnable afterwards = waiters.observer().onWake();
        Futex futex = armed == SLEEPER ? Futex.get() : null;
        boolean slept = true;
        if (futex != null) {
            futex.wake(Futex.addressOfLowBits(ringControl, word));
        } else {
            slept = session.wake((int) Math.max(0, armed - SLEEPER), slot);
        }
        if (slept && afterwards != null) {
            afterwards.run();
        }
    }

    // ---- the end

    @Override
    protected void finish() {
        try {
            out.finish(false);
            wakePeer();
        } catch (InternalError e) {
            faulted(e);
        }
    }

    @Override
    protected void end(boolean reset) {
        try {
            out.finish(reset || is(BROKEN));
            in.close();
            Words.putRelease(inControl, READER_ARM, READER_CLOSED); // pairs with the load in send
            wakePeer();
        } catch (InternalError e) {
            faulted(e);
        }
    }

    @Override
    protected void release() {
        session.detach(this);
    }

    /** The acceptor lets go of the slot, as its last access to it. */
    void releaseSlot() {
        try {
            Words.putRelease(control, SlotDescriptor.RELEASED, generation); // pairs with isSlotReleased
        } catch (InternalError e) {
            faulted(e);
        }
    }

    /** Whether the acceptor has let go of the slot. */
    boolean isSlotReleased() {
        try {
            return Words.getAcquire(control, SlotDescriptor.RELEASED) == generation; // pairs with releaseSlot
        } catch (InternalError e) {
            faulted(e);
            return true;
        }
    }
}
