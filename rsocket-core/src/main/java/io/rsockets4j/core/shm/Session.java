/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.bell.PeerBells;
import io.rsockets4j.core.fabric.RungLinks;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What two processes share: a control socket that also reports the peer's death, and files of slots, each slot a
 * connection. One process, the initiator, opens connections; the other, the acceptor, has listeners.
 *
 * <p>The peer's thread wakes a sleeping thread directly, by a word of its slot. It wakes a selector by its bell, and
 * marks the slot in a bitmap of the session, where the selector finds it. The service thread of the own process wakes
 * all others; the peer sends it a frame.
 */
abstract class Session implements ServiceThread.Handler, RungLinks {
    private static final Log LOG = Log.of(Session.class);
    private static final long RETIRE_AFTER_NANOS = 10_000_000_000L;
    private static final long PEER_EXIT_NANOS = 20_000_000;
    private static final long POLL_NANOS = 1_000_000;
    private static final int FRAMES_AT_ONCE = 64;
    private static final int ROUNDS_PER_PUMP = 16;

    /** The states, in their order; a session skips some, and never goes back. */
    private static final int OPEN = 0;
    private static final int ENDING = 1; // it is not known yet how the peer has ended
    private static final int LEFT = 2; // the peer's process has ended
    private static final int BROKEN = 3; // the peer's process goes on, without this session
    private static final int RETIRED = 4; // nobody uses its files any more

    private static final AtomicIntegerFieldUpdater<Session> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Session.class, "state");

    private final int side;
    private final ShmContext context;
    private final FrameChannel control;
    private final MappedFile file;
    private final Words memory;
    private final ReentrantLock frameLock = new ReentrantLock();
    private final ByteBuffer ringFrame = Frame.ring(); // guarded by frameLock
    private PeerBells peerBells; // set before the session is used
    private BorrowedMemory borrowedMemory; // set before the session is used
    private final List<SlotFile> slotFiles = new CopyOnWriteArrayList<>();
    private volatile int usedWords; // of the bitmaps
    private final AtomicReferenceArray<ShmLink> links = new AtomicReferenceArray<>(SessionDescriptor.MAX_SLOTS);
    private final AtomicInteger openLinks = new AtomicInteger();
    private final ReentrantLock pumpLock = new ReentrantLock();
    private volatile int state = OPEN;
    private final ReentrantLock restoreLock = new ReentrantLock();
    private volatile boolean lost; // the peer has taken memory back; written under restoreLock
    private volatile int virtualBell; // of the waker of virtual threads, once it watches these links

    Session(int side, ShmContext context, FrameChannel control, MappedFile file) {
        this.side = side;
        this.context = context;
        this.control = control;
        this.file = file;
        this.memory = new Words(file.slice(0, SessionDescriptor.FILE_BYTES));
    }

    final int side() {
        return side;
    }

    final ShmContext context() {
        return context;
    }

    final FrameChannel control() {
        return control;
    }

    final Words memory() {
        return memory;
    }

    /** Whether the peer's process has ended or left the session; nothing more will come from it. */
    final boolean isPeerGone() {
        return state >= LEFT;
    }

    /** Whether the session is over, or will be once it is known how the peer has ended. */
    final boolean isEnding() {
        return state != OPEN || lost;
    }

    // ---- bells

    /** Maps the peer's bells, before the session is used. */
    final void openPeerBells(String name) throws IOException {
        peerBells = context.bells().open(context.rendezvous().path(name));
        borrowedMemory = new BorrowedMemory(context.rendezvous(), name);
    }

    /**
     * Whom the peer is to ring for a virtual thread that is about to park on a link. Any thread.
     *
     * @return the number of a bell, or 0: the service thread
     */
    final int bellForVirtual() {
        if (Futex.get() == null) {
            return 0;
        }
        int bell = virtualBell;
        if (bell == 0) {
            bell = context.virtualWaker().watch(this);
            virtualBell = bell; // not before: who sees it arms, and the waker is to look at these links
        }
        return bell;
    }

    final PeerBells peerBells() {
        return peerBells;
    }

    /** What the peer lends. */
    final BorrowedMemory borrowedMemory() {
        return borrowedMemory;
    }

    /**
     * Serves frames, but only some at a time, as others wait: frames that are left in the socket make the selector come
     * again.
     */
    @Override
    public final void ready() throws IOException {
        for (int left = FRAMES_AT_ONCE; left > 0; left--) {
            ByteBuffer frame = control.read();
            if (frame == null) {
                return;
            }
            serve(frame.get(), frame);
        }
    }

    /** Serves a frame. Service thread. */
    abstract void serve(int type, ByteBuffer payload) throws IOException;

    /** Begins to answer rings. Service thread, once both sides have all files. */
    final void open() {
        parkService();
        pump();
    }

    /** Announces that the service thread is about to sleep; look once more afterwards. */
    final void parkService() {
        try {
            memory.putRelease(SessionDescriptor.parked(side), 1);
        } catch (InternalError e) {
            faulted(e);
        }
        VarHandle.fullFence(); // the announcement before the caller's next loads; pairs with the swap in wakeService
    }

    final void unparkService() {
        try {
            memory.putOpaque(SessionDescriptor.parked(side), 0); // a ring too many does no harm
        } catch (InternalError e) {
            faulted(e);
        }
    }

    /** Wakes the peer for a slot, by a bell, or 0 for its service thread; whether somebody slept. */
    final boolean wake(int bell, int slot) {
        if (lost) {
            return false;
        }
        int word = SessionDescriptor.rung(1 - side) + (slot >>> 6) * Long.BYTES;
        memory.getAndOrVolatile(word, 1L << slot); // pairs with getAndSetVolatile in collect
        return wake(bell);
    }

    /** Rings one of the peer's bells, or wakes its service thread where that is of no use; whether somebody slept. */
    final boolean wake(int bell) {
        int where = bell == 0 ? Bell.ELSEWHERE : peerBells.ring(bell);
        return where == Bell.ELSEWHERE ? wakeService() : where == Bell.ASLEEP;
    }

    /** Wakes the peer's service thread, if it sleeps: then true. */
    final boolean wakeService() {
        boolean sleeps = memory.getAndSetVolatile(SessionDescriptor.parked(1 - side), 0) != 0;
        if (sleeps) {
            frameLock.lock();
            try {
                control.write(ringFrame.rewind()); // never many: none is sent before the last one was answered
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "nobody to ring", e);
            } finally {
                frameLock.unlock();
            }
        }
        return sleeps;
    }

    @Override
    public final boolean isRung() {
        int end = usedWords;
        try {
            // pairs with getAndOrVolatile in wake
            return memory.nextSet(SessionDescriptor.rung(side), 0, end) < end;
        } catch (InternalError e) {
            faulted(e);
            return false;
        }
    }

    @Override
    public final void collect() {
        try {
            wakeRung();
        } catch (InternalError e) {
            faulted(e);
        }
    }

    private void wakeRung() {
        int base = SessionDescriptor.rung(side);
        int end = usedWords;
        for (int word = memory.nextSet(base, 0, end); word < end;
                word = memory.nextSet(base, word + 1, end)) {
            long bits = memory.getAndSetVolatile(base + word * Long.BYTES, 0); // pairs with wake
            for (; bits != 0; bits &= bits - 1) {
                ShmLink link = links.get(word * 64 + Long.numberOfTrailingZeros(bits));
                if (link != null) {
                    link.wake();
                }
            }
        }
    }

    @Override
    public final boolean isOver() {
        return isPeerGone();
    }

    /**
     * Serves everything that the peer rang for, then has it ring again. Where the peer rings all the time, others are
     * served in between. Service thread.
     */
    final void pump() {
        for (int round = 0; round < ROUNDS_PER_PUMP; round++) {
            serveAll();
            parkService();
            if (!isRung() && !hasConnects()) {
                return;
            }
        }
        context.service().schedule(this::pump, 0);
    }

    /** Serves what the peer has rung for, if anything, and waits for a thread that is about to. Any thread. */
    final void serveIfRung() {
        if (isRung() || hasConnects() || pumpLock.isLocked()) { // in this order: see hasConnects
            serveAll();
        }
    }

    private void serveAll() {
        pumpLock.lock();
        try {
            serveConnects();
            collect();
        } catch (InternalError e) {
            faulted(e);
        } finally {
            pumpLock.unlock();
        }
    }

    /** Takes requested connects. Under the pump lock. */
    abstract void serveConnects();

    /**
     * Whether connects are requested that were not taken. Whoever takes one has the pump lock until it is served: seen
     * to be locked after this was false.
     */
    abstract boolean hasConnects();

    // ---- slots

    final List<SlotFile> slotFiles() {
        return slotFiles;
    }

    /** Adds slots, before either side uses them. */
    final void addSlots(SlotFile file) {
        slotFiles.add(file);
        usedWords = (slotFiles.size() * file.slots() + 63) >>> 6;
    }

    final void attach(ShmLink link) {
        openLinks.incrementAndGet();
        links.set(link.slot(), link);
        if (lost) { // after the link is there to be seen: pairs with the order in restore
            link.breakUp();
        }
    }

    final ShmLink link(int slot) {
        return links.get(slot);
    }

    /** A link of this side has been closed. Called once, by the thread that closes it. */
    final void detach(ShmLink link) {
        links.compareAndSet(link.slot(), link, null);
        released(link);
        if (openLinks.decrementAndGet() == 0 && isPeerGone()) {
            retireLater();
        }
    }

    /** This side has let go of a slot. */
    abstract void released(ShmLink link);

    // ---- the end

    @Override
    public final void failed(IOException cause) {
        if (!STATE.compareAndSet(this, OPEN, ENDING)) {
            return;
        }
        closeControl();
        if (cause instanceof EOFException) {
            endOncePeerIsKnown(cause, System.nanoTime() + PEER_EXIT_NANOS);
        } else {
            end(cause, BROKEN);
        }
    }

    /**
     * Ends the session once it is known whether the peer's process has ended: that closes its sockets and its files
     * within an instant, in no particular order. Waits for nothing, as the service thread has others to serve.
     */
    private void endOncePeerIsKnown(IOException cause, long deadlineNanos) {
        if (file.isLeftBy(1 - side)) {
            end(cause, LEFT);
        } else if (System.nanoTime() - deadlineNanos >= 0) {
            end(cause, BROKEN);
        } else {
            context.service().schedule(() -> endOncePeerIsKnown(cause, deadlineNanos), POLL_NANOS);
        }
    }

    private void end(IOException cause, int how) {
        if (how == LEFT) {
            serveIfRung(); // what it has asked for before: connections that it has made and written to
        }
        restore(); // who is woken is to see zeros, and no fault
        int known = lost ? BROKEN : how;
        state = known; // volatile: links look at it when their ring is empty or full, after they armed
        LOG.log(System.Logger.Level.DEBUG, "the peer of a session has gone: " + cause);
        if (known == LEFT) {
            context.rendezvous().sweepSoon(context.bells().name(), context.service()::schedule);
        }
        for (int slot = 0; slot < usedWords * 64; slot++) {
            ShmLink link = links.get(slot);
            if (link != null) {
                link.wake();
            }
        }
        if (openLinks.get() == 0) {
            retireLater();
        }
        ended(cause);
    }

    /**
     * Deals with a fault in mapped memory: if the peer has taken some of it back, its connections are reset, and the
     * session ends. Any thread, whatever it holds.
     *
     * @throws InternalError the same, if all of this session's memory is there
     */
    final void faulted(InternalError error) {
        if (!mend()) {
            throw error;
        }
    }

    @Override
    public final boolean mend() {
        return restore() || lost;
    }

    /** Makes anew what the peer has taken back, so that nobody faults any more; whether it has. */
    private boolean restore() {
        boolean first;
        restoreLock.lock();
        try {
            if (isWhole()) {
                return false;
            }
            first = !lost;
            lost = true;
            file.restore(new byte[SessionDescriptor.FILE_BYTES]);
            for (SlotFile slots : slotFiles) {
                slots.restore();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "what a peer has taken back cannot be made anew", e);
            return true;
        } finally {
            restoreLock.unlock();
        }
        if (first) {
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: a process of this user has taken back memory that it"
                    + " shares; its connections are reset");
        }
        breakLinks();
        return true;
    }

    private boolean isWhole() {
        boolean whole = file.isWhole();
        for (int i = 0; i < slotFiles.size() && whole; i++) {
            whole = slotFiles.get(i).isWhole();
        }
        return whole;
    }

    private void breakLinks() {
        for (int slot = 0; slot < usedWords * 64; slot++) {
            ShmLink link = links.get(slot);
            if (link != null) {
                link.breakUp();
            }
        }
        context.service().execute(() -> failed(new IOException("the peer has taken memory back")));
    }

    /** The session is over: nobody is to find it any more. Called once. */
    abstract void ended(IOException cause);

    /** Whether the session is over although the peer's process goes on: its connections are reset, not ended. */
    final boolean isBroken() {
        return state == BROKEN;
    }

    private void closeControl() {
        try {
            control.channel().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a control socket could not be closed", e);
        }
    }

    /** A selector may be looking at a link that was just closed, so the memory goes a little later. */
    private void retireLater() {
        context.service().schedule(() -> {
            if (openLinks.get() == 0 && STATE.getAndSet(this, RETIRED) != RETIRED) {
                retire();
            }
        }, RETIRE_AFTER_NANOS);
    }

    /** The last side to leave gives the memory back: the other one may still have open connections. */
    private void retire() {
        if (file.isLeftBy(1 - side)) {
            slotFiles.forEach(SlotFile::retire);
            file.retire();
        } else {
            slotFiles.forEach(SlotFile::leave);
            file.leave();
        }
        retired();
    }

    /** The session's files are closed. Called once. */
    void retired() { }
}
