/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.host.DescriptorBudget;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.Ownership;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The side of a session that opens connections and owns the slots.
 *
 * <p>A connect takes a slot and leaves a record in the connect ring: it costs no descriptor, no file, no mapping and,
 * like a TCP connect on one host, does not wait until the server accepts.
 */
final class InitiatorSession extends Session implements Runnable {
    private static final long CLEAN_UP_NANOS = 1_000_000_000L;
    private static final long POLL_NANOS = 200_000;

    private final String endpoint;
    private final Path sharedPath;
    private final Outcome<InitiatorSession> ready;
    private final Runnable onEnd;
    private final SlotPool pool;
    private volatile long requested; // connects so far, written under the pool's lock
    private Path slotsPath; // service thread
    private SlotFile offered; // service thread: sent to the peer, not mapped by it yet
    private final List<Outcome<Void>> growing = new ArrayList<>(); // service thread: who waits for the offered file

    private InitiatorSession(ShmContext context, String endpoint, Outcome<InitiatorSession> ready, Runnable onEnd,
            FrameChannel control, Path sharedPath, MappedFile file) {
        super(SessionDescriptor.INITIATOR, context, control, file);
        this.endpoint = endpoint;
        this.ready = ready;
        this.onEnd = onEnd;
        this.sharedPath = sharedPath;
        this.pool = new SlotPool(this);
    }

    /**
     * Begins a session with the process behind an endpoint. Service thread.
     *
     * @param ready ends when the session may be used, or will never be
     * @param onEnd called when the session ends, ready or not, before {@code ready} fails. Service thread
     * @throws IOException if the endpoint does not answer, is not ours, or memory is short
     */
    static void begin(ShmContext context, String endpoint, Outcome<InitiatorSession> ready, Runnable onEnd)
            throws IOException {
        DescriptorBudget.requireSpare();
        Path sharedPath = newShared(context);
        FrameChannel control = new FrameChannel(dial(context.rendezvous().path(endpoint)));
        MappedFile file = null;
        try {
            file = MappedFile.create(sharedPath, SessionDescriptor.FILE_BYTES, context.budget());
            file.commit(0, SessionDescriptor.FILE_BYTES);
            file.holdAs(SessionDescriptor.INITIATOR);
            new InitiatorSession(context, endpoint, ready, onEnd, control, sharedPath, file).sendHello();
        } catch (IOException | RuntimeException | Error e) {
            control.channel().close();
            MappedFile.unlink(sharedPath);
            if (file != null) {
                file.retire();
            }
            throw e;
        }
    }

    /** A new name for a file; none any more when the process may end before the peer has learnt it, and removed it. */
    private static Path newShared(ShmContext context) throws IOException {
        if (context.service().isExiting()) {
            throw new IOException("this process ends");
        }
        return context.rendezvous().newPath(Rendezvous.SHARED);
    }

    private static SocketChannel dial(Path endpoint) throws IOException {
        SocketChannel channel = UnixSockets.connect(endpoint); // the service thread must not wait
        try {
            Ownership.requireOwnPeer(channel);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void sendHello() throws IOException {
        slotsPath = newShared(context());
        offered = SlotFile.create(slotsPath, context().rings().maxBytes(), context().budget());
        try {
            context().service().register(control().channel(), SelectionKey.OP_READ, this);
            control().write(Frame.hello(new Frame.ShmHello(Frame.VERSION, Frame.VERSION, 0,
                    context().rendezvous().namespaceId(), context().rings().maxBytes(),
                    sharedPath.getFileName().toString(), slotsPath.getFileName().toString(),
                    context().bells().name())));
        } catch (IOException e) {
            MappedFile.unlink(slotsPath);
            offered.retire();
            throw e;
        }
        context().service().schedule(this, context().handshakeNanos());
    }

    /** The time for a handshake is over. */
    @Override
    public void run() {
        if (!ready.isDone()) {
            failed(new PathException(Reason.TIMEOUT, "no answer from " + endpoint + " in time"));
        }
    }

    @Override
    void serve(int type, ByteBuffer payload) throws IOException {
        switch (type) {
            case Frame.WELCOME -> welcomed(Frame.readWelcome(payload));
            case Frame.REFUSED -> throw Frame.refusal(Frame.getText(payload));
            case Frame.RING -> pump();
            case Frame.SLOTS_MAPPED -> slotsMapped(Frame.getIndex(payload));
            case Frame.SLOTS_REFUSED -> slotsRefused(Frame.getText(payload));
            default -> throw new IOException("unexpected frame of type " + type);
        }
    }

    private void welcomed(Frame.Welcome welcome) throws IOException {
        if (welcome.version() != Frame.VERSION) {
            throw new PathException(Reason.PROTOCOL, "the peer chose version " + welcome.version() + ", not offered");
        }
        if (ready.isDone() || !Rendezvous.isName(welcome.bellsName(), Rendezvous.BELLS)) {
            throw new IOException("unexpected WELCOME");
        }
        openPeerBells(welcome.bellsName());
        MappedFile.unlink(sharedPath); // both hold it now
        slotsMapped(0);
        open();
        ready.complete(this);
    }

    private void slotsMapped(int index) throws IOException {
        if (offered == null || index != slotFiles().size()) {
            throw new IOException("unexpected slot file " + index);
        }
        MappedFile.unlink(slotsPath); // both hold it now
        addSlots(offered);
        pool.add(index * offered.slots(), offered.slots());
        offered = null;
        for (Outcome<Void> waiting : growing) {
            waiting.complete(null);
        }
        growing.clear();
    }

    /** The peer cannot take more slots now; connections go on in those that it has. */
    private void slotsRefused(String reason) throws IOException {
        if (offered == null || growing.isEmpty()) {
            throw new IOException("unexpected refusal of slots");
        }
        withdrawOffer();
        stopGrowing(Frame.refusal(reason));
    }

    private void stopGrowing(IOException cause) {
        for (Outcome<Void> waiting : growing) {
            waiting.fail(cause);
        }
        growing.clear();
    }

    private void withdrawOffer() {
        MappedFile.unlink(slotsPath);
        offered.retire();
        offered = null;
    }

    /** Adds a slot file. Any thread; completes when its slots may be used. */
    private Outcome<Void> grow() {
        Outcome<Void> result = new Outcome<>();
        context().service().execute(() -> {
            try {
                offerSlots(result);
            } catch (IOException | RuntimeException e) {
                result.fail(e);
            }
        });
        return result;
    }

    private void offerSlots(Outcome<Void> result) throws IOException {
        if (isPeerGone()) {
            throw new PathException(Reason.PEER_GONE, "the peer has gone");
        }
        if (pool.hasFree()) { // what others have asked for has come
            result.complete(null);
            return;
        }
        if (!growing.isEmpty()) {
            growing.add(result);
            return;
        }
        int index = slotFiles().size();
        if ((index + 1) * slotFiles().get(0).slots() > SessionDescriptor.MAX_SLOTS) {
            throw new PathException(Reason.TOO_MANY,
                    "more than " + SessionDescriptor.MAX_SLOTS + " connections between two processes");
        }
        slotsPath = newShared(context());
        offered = SlotFile.create(slotsPath, context().rings().maxBytes(), context().budget());
        try {
            control().write(Frame.slots(index, slotsPath.getFileName().toString()));
            growing.add(result);
        } catch (IOException e) {
            withdrawOffer();
            throw e;
        }
    }

    /** Whether a listener is open, as the peer says now. */
    boolean isListening(int listener, long generation) {
        return (announced(listener) & SessionDescriptor.LISTENER_GENERATION) == generation;
    }

    /** Whether a listener's backlog is full, as the peer says now, or will be by what it has not looked at yet. */
    boolean isFull(int listener) {
        long announced = announced(listener);
        long backlog = announced >>> SessionDescriptor.LISTENER_BACKLOG & SessionDescriptor.MAX_BACKLOG;
        // opaque: a hint; counts that make no sense are left to awaitRoom
        long waiting = requested - memory().getOpaque(SessionDescriptor.CONNECT_HEAD);
        return (announced & SessionDescriptor.LISTENER_FULL) != 0
                || backlog != 0 && waiting > backlog && waiting <= SessionDescriptor.CONNECT_ENTRIES;
    }

    private long announced(int listener) {
        return memory().getAcquire(SessionDescriptor.listener(listener)); // pairs with Listeners.announce
    }

    /** Whether {@link #connect} to a listener that is open would not wait, as far as can be told now. */
    boolean isPrompt(int listener, long generation) {
        return isListening(listener, generation) && !isFull(listener) && pool.hasFree() && hasRoom();
    }

    /**
     * Opens a connection.
     *
     * @return null if the listener has closed
     * @throws IOException when no slot can be had, or the peer's process takes no connects
     */
    ShmLink connect(Rendezvous.Entry target, InetSocketAddress local, InetSocketAddress remote, LocalPort port,
            long deadlineNanos) throws IOException {
        for (;;) {
            ShmLink link = request(takeSlot(deadlineNanos), target, local, remote, port);
            if (link != null) {
                VarHandle.fullFence(); // the request before the looks at bells; pairs with the fences of who sleeps
                ringAcceptor(target.listener());
                return link;
            }
            if (!mayRequest(target)) {
                return null;
            }
            awaitRoom(deadlineNanos);
        }
    }

    private int takeSlot(long deadlineNanos) throws IOException {
        int slot = pool.take();
        while (slot < 0) {
            grow().await(deadlineNanos);
            slot = pool.take();
        }
        return slot;
    }

    /**
     * Wakes the thread that waits for a listener's connects, or else the peer's service thread. Nobody, where that
     * thread is awake: it looks before it sleeps. A connect that it leaves there has the next one wake the service
     * thread, which takes both, so that the listener's backlog is counted.
     */
    private void ringAcceptor(int listener) {
        int bell = peerBells().listenerBell(listener);
        int owner = bell == 0 ? Bell.ELSEWHERE : peerBells().ring(bell);
        if (owner == Bell.ELSEWHERE || owner != Bell.ASLEEP && connectsWaiting() > 1) {
            wakeService();
        }
    }

    private boolean mayRequest(Rendezvous.Entry target) {
        return isListening(target.listener(), target.generation()) && !isEnding();
    }

    /**
     * Waits until the connect ring has room, as TCP sends its SYN again while a backlog is full: a rush of connects may
     * be ahead of the peer for a moment.
     */
    private void awaitRoom(long deadlineNanos) throws PathException {
        boolean interrupted = false;
        long waiting = connectsWaiting();
        while (Long.compareUnsigned(waiting, SessionDescriptor.CONNECT_ENTRIES) >= 0 && !isPeerGone()) {
            boolean impossible = waiting != SessionDescriptor.CONNECT_ENTRIES;
            if (impossible || System.nanoTime() - deadlineNanos >= 0) {
                throw new PathException(Reason.PEER_BUSY, "the peer does not take its connects");
            }
            LockSupport.parkNanos(POLL_NANOS);
            interrupted |= Thread.interrupted(); // with that status set, parking would not wait
            waiting = connectsWaiting();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasRoom() {
        return Long.compareUnsigned(connectsWaiting(), SessionDescriptor.CONNECT_ENTRIES) < 0;
    }

    /**
     * How many connects the peer has not taken: all that there is room for when it is stopped. Not to be trusted. Under
     * the lock of those who append: between two loads without it, the peer could take what was appended meanwhile.
     */
    private long connectsWaiting() {
        pool.lock().lock();
        try {
            return requested - memory().getAcquire(SessionDescriptor.CONNECT_HEAD); // pairs with serveConnects
        } finally {
            pool.lock().unlock();
        }
    }

    /** Appends to the connect ring; null if there is no room, or nobody to connect to. */
    private ShmLink request(int slot, Rendezvous.Entry target, InetSocketAddress local, InetSocketAddress remote,
            LocalPort port) {
        pool.lock().lock();
        try {
            long waiting = requested - memory().getAcquire(SessionDescriptor.CONNECT_HEAD); // pairs as below
            if (!mayRequest(target) || Long.compareUnsigned(waiting, SessionDescriptor.CONNECT_ENTRIES) >= 0) {
                pool.giveBack(slot);
                return null;
            }
            ConnectEntry entry = new ConnectEntry(slot, pool.generation(slot), target.listener(), target.generation(),
                    local, remote, context().rings().capacity(port.buffers().sendBytes(), target.receiveBytes()),
                    context().rings().capacity(0, port.buffers().receiveBytes()));
            SlotFile slots = slotFiles().get(slot / slotFiles().get(0).slots());
            ShmLink link = new ShmLink(this, slots, slot, entry.generation(), entry, port);
            attach(link);
            entry.write(memory(), SessionDescriptor.connect(requested));
            requested = requested + 1;
            memory().putRelease(SessionDescriptor.CONNECT_TAIL, requested); // pairs with serveConnects
            return link;
        } finally {
            pool.lock().unlock();
        }
    }

    @Override
    void serveConnects() {
        // only the acceptor takes connects
    }

    @Override
    boolean hasConnects() {
        return false;
    }

    @Override
    void released(ShmLink link) {
        pool.released(link);
    }

    @Override
    void ended(IOException cause) {
        MappedFile.unlink(sharedPath);
        if (offered != null) {
            withdrawOffer();
        }
        onEnd.run();
        ready.fail(cause);
        stopGrowing(cause);
        pool.releaseAll();
        cleanUpAfterPeer();
        context().service().schedule(this::cleanUpAfterPeer, CLEAN_UP_NANOS); // an endpoint may be the last to close
    }

    /** If the peer's process is dead, no one else removes what it left in the directory. */
    private void cleanUpAfterPeer() {
        context().rendezvous().forgetIfDead(endpoint);
    }
}
