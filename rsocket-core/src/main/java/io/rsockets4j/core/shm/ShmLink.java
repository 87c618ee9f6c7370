/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SLEEPER;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.RingLink;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.host.SharedMemory;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.ring.ReceiveRing;
import io.rsockets4j.core.shm.ring.RingCorruptedException;
import io.rsockets4j.core.shm.ring.SendRing;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import io.rsockets4j.core.shm.ring.SlotFile;
import io.rsockets4j.core.shm.ring.SlotSleeper;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A connection over shared memory: one slot of a {@link Session}, seen from one side. */
final class ShmLink extends RingLink {
    /** The path's name in settings and reports. */
    static final String PATH = "shm";

    private final ShmWaiters waiters;
    private final Session session;
    private final int slot;
    private final long generation;
    private final LocalPort port; // null on the acceptor's side
    private long closedNanos; // when it began to linger; guarded by the pool's lock
    private boolean portGone; // guarded by the pool's lock
    private int directMinBytes = Integer.MAX_VALUE;
    private final Words control;
    private final Words outControl;
    private final Words inControl;
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
        this(session, slots, slot, generation, request, port, slots.words(slot % slots.slots()));
    }

    private ShmLink(Session session, SlotFile slots, int slot, long generation, ConnectEntry request, LocalPort port,
            SlotFile.SlotWords words) {
        this(session, slots, slot, generation, request, port, words.control(),
                new ShmWaiters(words.ring(1 - session.side()), words.ring(session.side())));
    }

    private ShmLink(Session session, SlotFile slots, int slot, long generation, ConnectEntry request, LocalPort port,
            Words control, ShmWaiters waiters) {
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
        this.control = control;
        outControl = waiters.outControl();
        inControl = waiters.inControl();
        int outBytes = request.ringBytes(outRing, slots.ringBytes());
        out = new SendRing(outControl, slots.ring(slotInFile, outRing, outBytes),
                new SlotFile.WholeRing(slots, slotInFile, outRing, outBytes));
        in = new ReceiveRing(inControl,
                slots.ring(slotInFile, inRing, request.ringBytes(inRing, slots.ringBytes())));
    }

    @Override
    public String path() {
        return PATH;
    }

    /** The sender's own count, which outlives the mapped one; a plain load, whose age does not matter here. */
    @Override
    public long bytesSent() {
        return out.sent();
    }

    /** The receiver's own count; see {@link #bytesSent}. */
    @Override
    public long bytesReceived() {
        return in.received();
    }

    @Override
    public long directBytesSent() {
        return out.lent();
    }

    @Override
    public long directBytesReceived() {
        return in.borrowed();
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
        if (is(READS_OVER | BROKEN)) {
            return endOfStream(!is(READS_OVER));
        }
        try {
            long before = in.head();
            int read = in.read(dst);
            if (in.head() != before) { // also where all of it was urgent, and dropped
                VarHandle.fullFence(); // the credit before the arm: pairs with the fence in arm
                // acquire: the tail that the writer had when it armed; pairs with the release in ShmWaiters.armed
                if (inControl.getAcquire(WRITER_ARM) != 0 && in.hasAmpleCredit()) {
                    wakePeer(inControl, WRITER_ARM);
                }
            }
            return read > 0 ? read : receiveNothing(dst);
        } catch (RingCorruptedException e) {
            throw broken(e);
        } catch (InternalError e) {
            if (in.isLoanCutShort()) {
                breakUp();
            } else {
                faulted(e);
            }
            throw new SocketException("Connection reset");
        }
    }

    private int receiveNothing(ByteBuffer dst) throws IOException {
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

    private int endOfStream(boolean reset) throws IOException {
        if (reset && !is(RESET_TOLD)) {
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
        try {
            if (session.isPeerGone()) {
                return lost(src, isReset());
            }
            if (outControl.getOpaque(READER_ARM) == READER_CLOSED) { // before: a reset does not come of these bytes
                return sendToClosed(src);
            }
            int sent = out.write(src);
            sent();
            VarHandle.fullFence(); // the bytes before the arm: pairs with the fence in arm
            long arm = outControl.getOpaque(READER_ARM);
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
    private int sendToArmed(ByteBuffer src, int sent, long arm) throws IOException {
        if (arm == READER_CLOSED && sent > 0) { // meanwhile, and perhaps by a reset as these bytes were unread
            return sent + lost(src, false);
        }
        if (arm == READER_CLOSED || sent == 0 && src.hasRemaining() && out.isPeerClosed()) {
            return sendToClosed(src);
        }
        if (sent > 0) {
            wakePeer(outControl, READER_ARM);
        }
        return sent;
    }

    /** The peer has closed, and its process lives: its word says whether by a reset. */
    private int sendToClosed(ByteBuffer src) throws IOException {
        VarHandle.acquireFence(); // after the plain look at the arm: the peer tells of a reset before it closes
        return lost(src, in.isReset());
    }

    /** As {@link #sendToClosed}; what is lent to a peer that is not there any more is the program's again. */
    private int lost(ByteBuffer src, boolean reset) throws IOException {
        out.reclaim();
        return sendToClosed(src, reset);
    }

    /** Whether the peer, whose process has ended, has closed by a reset, or was ended with bytes unread. */
    private boolean isReset() {
        return in.isReset() || !in.isFinished() && (session.isBroken() || !out.isDrained());
    }

    // ---- memory that the peer copies from

    @Override
    public void useRegisteredMemory() {
        // what fits into the ring has no need to wait for the peer's read
        directMinBytes = Math.max(session.context().lentMemory().minBytes(), out.capacity() + 1);
        try {
            in.takeLoans(session.borrowedMemory());
        } catch (InternalError e) {
            faulted(e);
        }
    }

    @Override
    public int directMinBytes() {
        return directMinBytes;
    }

    @Override
    public boolean lend(ByteBuffer src, SourceMemory.Part of) {
        if (of == null || src.remaining() < directMinBytes || is(OUTPUT_SHUT | SEND_LOST | BROKEN)) {
            return false;
        }
        SharedMemory memory = of.memory().shared();
        if (memory == null || !session.context().lentMemory().has(memory)) {
            return false;
        }
        try {
            boolean lent = out.lend(src, memory.number(), of.memory().sharedOffset() + of.offset() + src.position());
            if (lent) {
                sent();
                VarHandle.fullFence(); // the loan before the arm: pairs with the fence in arm
                if (outControl.getOpaque(READER_ARM) > NOBODY) {
                    wakePeer(outControl, READER_ARM);
                }
            }
            return lent;
        } catch (RingCorruptedException e) {
            breakUp();
            return false;
        } catch (InternalError e) {
            faulted(e);
            return false;
        }
    }

    @Override
    public int reclaim() {
        try {
            out.reclaim();
        } catch (InternalError e) {
            faulted(e);
        }
        return 0; // the positions have moved
    }

    // ---- readiness and waiting

    @Override
    public boolean isReady(int op) {
        if (is(CLOSING | BROKEN | (op == OP_READ ? READS_OVER : OUTPUT_SHUT)) || session.isPeerGone()) {
            return true;
        }
        try {
            return op == OP_READ ? in.isReadable() : out.isWritable();
        } catch (InternalError e) {
            faulted(e);
            return true;
        }
    }

    @Override
    public boolean isKnownReady(int op) {
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
        long writer = disarm(inControl, WRITER_ARM);
        if (writer > NOBODY) { // not within disarm: compilers leave out what never happens here
            wake(writer, inControl, WRITER_ARM);
        }
    }

    /** Wakes whom the peer has armed in a word, if anybody. */
    private void wakePeer(Words ringControl, int word) {
        long armed = disarm(ringControl, word);
        if (armed > NOBODY) {
            wake(armed, ringControl, word);
        }
    }

    /** Takes who is armed in a word. */
    private static long disarm(Words ringControl, int word) {
        long armed = ringControl.getAndSetVolatile(word, NOBODY);
        if (armed == READER_CLOSED) {
            ringControl.putRelease(word, READER_CLOSED); // pairs with the load in send
        }
        return armed;
    }

    private void wake(long armed, Words ringControl, int word) {
        Runnable afterwards = waiters.observer().onWake();
        Futex futex = armed == SLEEPER ? Futex.get() : null;
        boolean slept = true;
        if (futex != null) {
            futex.wake(ringControl.addressOfLowBits(word));
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
            out.reclaim(); // before the slot may serve another connection
            out.finish(reset || is(BROKEN));
            in.close();
            inControl.putRelease(READER_ARM, READER_CLOSED); // pairs with the load in send
            wakePeer();
        } catch (InternalError e) {
            faulted(e);
        }
    }

    @Override
    protected void release() {
        if (directMinBytes < Integer.MAX_VALUE) {
            session.borrowedMemory().forgetRemoved();
        }
        session.detach(this);
    }

    /** The acceptor lets go of the slot, as its last access to it. */
    void releaseSlot() {
        try {
            control.putRelease(SlotDescriptor.RELEASED, generation); // pairs with isSlotReleased
        } catch (InternalError e) {
            faulted(e);
        }
    }

    /** Whether the acceptor has let go of the slot. */
    boolean isSlotReleased() {
        try {
            return control.getAcquire(SlotDescriptor.RELEASED) == generation; // pairs with releaseSlot
        } catch (InternalError e) {
            faulted(e);
            return true;
        }
    }
}
