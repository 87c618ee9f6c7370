/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.DirectDoorbell;
import io.rsockets4j.core.fabric.SelectorWaiter;
import io.rsockets4j.core.fabric.SpinHistory;
import io.rsockets4j.core.log.Log;
import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * What two processes share: a control socket that also reports the peer's death, a few doorbell lanes, and files of
 * slots, each slot a connection. One process, the initiator, opens connections; the other, the acceptor, has listeners.
 *
 * <p>Lane 0 rings the doorbell thread, which looks at every rung slot and wakes whoever waits there. The other lanes
 * are lent to parking threads and to selectors, so that the peer wakes them directly.
 */
abstract class Session implements DoorbellThread.Handler {
    static final int INITIATOR = 0;
    static final int ACCEPTOR = 1;
    private static final Log LOG = Log.of(Session.class);
    private static final int KEPT_FOR_THREADS = 3;
    private static final long RETIRE_AFTER_NANOS = 10_000_000_000L;
    private static final int LOOKS_FOR_PEER = 20;
    private static final long NANOS_BETWEEN_LOOKS = 1_000_000;

    private final int side;
    private final ShmContext context;
    private final FrameChannel control;
    private final MappedFile file;
    private final ByteBuffer memory;
    private final Lane[] lanes = new Lane[SessionDescriptor.LANES]; // set before the session is used
    private final AtomicReferenceArray<LaneParker> parkers = new AtomicReferenceArray<>(SessionDescriptor.LANES);
    private final AtomicInteger freeLanes = new AtomicInteger((1 << SessionDescriptor.LANES) - 2); // a bit per lane
    private final List<SlotFile> slotFiles = new CopyOnWriteArrayList<>();
    private final AtomicReferenceArray<ShmLink> links = new AtomicReferenceArray<>(SessionDescriptor.MAX_SLOTS);
    private final AtomicInteger openLinks = new AtomicInteger();
    private final SpinHistory readSpins; // what all links of the session have learned
    private final ReentrantLock pumpLock = new ReentrantLock();
    private volatile boolean peerGone;
    private volatile boolean broken; // written before peerGone
    private boolean retired; // doorbell thread

    Session(int side, ShmContext context, FrameChannel control, MappedFile file) {
        this.side = side;
        this.context = context;
        this.control = control;
        this.file = file;
        this.memory = file.slice(0, SessionDescriptor.FILE_BYTES);
        this.readSpins = new SpinHistory(context.spinPolicy());
    }

    final int side() {
        return side;
    }

    final ShmContext context() {
        return context;
    }

    final SpinHistory readSpins() {
        return readSpins;
    }

    final FrameChannel control() {
        return control;
    }

    final ByteBuffer memory() {
        return memory;
    }

    /** Whether the peer's process has ended or left the session; nothing more will come from it. */
    final boolean isPeerGone() {
        return peerGone;
    }

    // ---- lanes

    final void setLane(Lane lane) {
        lanes[lane.index()] = lane;
    }

    final boolean hasLane(int index) {
        return lanes[index] != null;
    }

    final boolean hasAllLanes() {
        for (Lane lane : lanes) {
            if (lane == null) {
                return false;
            }
        }
        return true;
    }

    /** Begins to answer lane 0. Doorbell thread, once all lanes are there. */
    final void open() throws IOException {
        context.doorbell().register(lanes[0].channel(), SelectionKey.OP_READ, new LaneZero(this, lanes[0]));
        park(0);
        pump();
    }

    /** Lends a parker with a lane of its own to a thread, if one is free. */
    final LaneParker borrowParker() {
        int index = takeLane(0);
        if (index == 0) {
            return null;
        }
        LaneParker parker = parkers.get(index);
        if (parker == null) {
            try {
                parker = new LaneParker(this, lanes[index]);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "no selector for a parked thread", e);
                giveLane(index);
                return null;
            }
            parkers.set(index, parker);
        }
        return parker;
    }

    final void giveBack(LaneParker parker) {
        giveLane(parker.lane());
        if (peerGone) { // volatile, after the lane was given: pairs with failed, which sets it and then collects
            closeIdleParkers();
        }
    }

    private void closeIdleParkers() {
        int idle = freeLanes.getAndSet(0);
        for (int index = 1; index < SessionDescriptor.LANES; index++) {
            LaneParker parker = (idle & 1 << index) == 0 ? null : parkers.getAndSet(index, null);
            if (parker != null) {
                parker.close();
            }
        }
    }

    /** Lends a lane to a selector, as long as enough are left for threads. */
    private SelectorLane borrowSelectorLane() {
        int index = takeLane(KEPT_FOR_THREADS);
        if (index == 0) {
            return null;
        }
        LaneParker parker = parkers.getAndSet(index, null);
        if (parker != null) {
            parker.close();
        }
        return new SelectorLane(this, lanes[index]);
    }

    /** The lane on which a selector sleeps in this session, lent at first use; 0 when none is free. */
    final int laneOf(SelectorWaiter selector) {
        DirectDoorbell doorbell = selector.doorbell(this);
        if (doorbell == null) {
            doorbell = borrowSelectorLane();
            if (doorbell != null && !attach(selector, doorbell)) {
                return 0;
            }
        }
        return doorbell instanceof SelectorLane lane ? lane.index() : 0;
    }

    private boolean attach(SelectorWaiter selector, DirectDoorbell doorbell) {
        try {
            selector.attach(this, doorbell);
            return true;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a selector cannot sleep on a lane", e);
            doorbell.release();
            return false;
        }
    }

    final void giveLane(int index) {
        freeLanes.getAndUpdate(free -> free | 1 << index);
    }

    private int takeLane(int keep) {
        for (;;) {
            int free = freeLanes.get();
            if (peerGone || Integer.bitCount(free) <= keep) {
                return 0;
            }
            int index = Integer.numberOfTrailingZeros(free);
            if (freeLanes.compareAndSet(free, free & ~(1 << index))) {
                return index;
            }
        }
    }

    // ---- doorbells

    /** Announces that the owner of a lane of this side is about to sleep; look once more afterwards. */
    final void park(int lane) {
        Words.putRelease(memory, SessionDescriptor.parked(side, lane), 1);
        VarHandle.fullFence(); // the announcement before the caller's next loads; pairs with the swap in wake
    }

    final void unpark(int lane) {
        Words.putOpaque(memory, SessionDescriptor.parked(side, lane), 0); // a ring too many does no harm
    }

    /** Rings the peer's lane for a slot: notes the slot, and wakes the lane's owner if it sleeps: then true. */
    final boolean ring(int lane, int slot) {
        int word = SessionDescriptor.rung(1 - side, lane) + (slot >>> 6) * Long.BYTES;
        Words.getAndOrVolatile(memory, word, 1L << slot); // pairs with getAndSetVolatile in collect
        return wake(lane);
    }

    /** Wakes the owner of the peer's lane, if it sleeps: then true. */
    final boolean wake(int lane) {
        boolean sleeps = Words.getAndSetVolatile(memory, SessionDescriptor.parked(1 - side, lane), 0) != 0;
        if (sleeps) {
            lanes[lane].ring();
        }
        return sleeps;
    }

    /** Whether the peer has rung any slot on a lane of this side. */
    final boolean isRung(int lane) {
        int base = SessionDescriptor.rung(side, lane);
        for (int word = 0; word < usedWords(); word++) {
            if (Words.getAcquire(memory, base + word * Long.BYTES) != 0) { // pairs with getAndOrVolatile in ring
                return true;
            }
        }
        return false;
    }

    /** Takes the rung slots of a lane of this side, and hands their links over. */
    final void collect(int lane, Consumer<ShmLink> visitor) {
        int base = SessionDescriptor.rung(side, lane);
        for (int word = 0; word < usedWords(); word++) {
            int offset = base + word * Long.BYTES;
            if (Words.getOpaque(memory, offset) == 0) {
                continue;
            }
            long bits = Words.getAndSetVolatile(memory, offset, 0); // pairs with getAndOrVolatile in ring
            for (; bits != 0; bits &= bits - 1) {
                ShmLink link = links.get(word * 64 + Long.numberOfTrailingZeros(bits));
                if (link != null) {
                    visitor.accept(link);
                }
            }
        }
    }

    private int usedWords() {
        List<SlotFile> files = slotFiles;
        int count = files.size();
        return count == 0 ? 0 : (count * files.get(0).slots() + 63) >>> 6;
    }

    /** Serves everything that the peer rang for on lane 0, then has it ring again. Doorbell thread. */
    final void pump() {
        do {
            serveAll();
            park(0);
        } while (isRung(0) || hasConnects());
    }

    /**
     * Serves what the peer has rung for on lane 0, if anything, and waits for a thread that is about to. Any thread.
     */
    final void serveIfRung() {
        if (isRung(0) || hasConnects() || pumpLock.isLocked()) { // in this order: see hasConnects
            serveAll();
        }
    }

    private void serveAll() {
        pumpLock.lock();
        try {
            serveConnects();
            collect(0, ShmLink::rung);
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

    final void attach(ShmLink link) {
        openLinks.incrementAndGet();
        links.set(link.slot(), link);
    }

    final ShmLink link(int slot) {
        return links.get(slot);
    }

    /** A link of this side has been closed. Called once, by the thread that closes it. */
    final void detach(ShmLink link) {
        links.compareAndSet(link.slot(), link, null);
        released(link);
        if (openLinks.decrementAndGet() == 0 && peerGone) {
            retireLater();
        }
    }

    /** This side has let go of a slot. */
    abstract void released(ShmLink link);

    // ---- the end

    @Override
    public void failed(IOException cause) {
        if (peerGone) {
            return;
        }
        broken = !(cause instanceof EOFException && hasPeerEnded());
        peerGone = true; // volatile: links look at it when their ring is empty or full, after they armed
        LOG.log(System.Logger.Level.DEBUG, "the peer of a session has gone: " + cause);
        closeIdleParkers();
        closeChannels();
        for (int slot = 0; slot < usedWords() * 64; slot++) {
            ShmLink link = links.get(slot);
            if (link != null) {
                link.rung();
            }
        }
        if (openLinks.get() == 0) {
            retireLater();
        }
    }

    /** Whether the session is over although the peer's process goes on: its connections are reset, not ended. */
    final boolean isBroken() {
        return broken;
    }

    /** A process that ends closes its sockets and its files within an instant, in no particular order. */
    private boolean hasPeerEnded() {
        for (int look = 0; look < LOOKS_FOR_PEER; look++) {
            if (file.isLeftBy(1 - side)) {
                return true;
            }
            LockSupport.parkNanos(NANOS_BETWEEN_LOOKS);
        }
        return false;
    }

    private void closeChannels() {
        try {
            control.channel().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a control socket could not be closed", e);
        }
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.close();
            }
        }
    }

    /** A selector may be looking at a link that was just closed, so the memory goes a little later. */
    private void retireLater() {
        context.doorbell().schedule(() -> {
            if (openLinks.get() == 0 && !retired) {
                retired = true;
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
    }
}
