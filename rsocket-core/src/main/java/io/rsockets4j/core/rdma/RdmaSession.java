/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.flight.FlightEvents;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.CompletionStatus;
import io.rsockets4j.core.verbs.PortGid;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A session of two processes: a queue pair with its memory and credit for receives, and the connections that share it.
 * Serves its completions, on the thread that polls. Its {@link Handshake} hears of HELLO and of connects.
 */
final class RdmaSession {
    /** The completions that a session can have outstanding. */
    static final int COMPLETIONS = SendQueue.CAPACITY + ReceiveQueue.CAPACITY;

    private static final Log LOG = Log.of(RdmaSession.class);
    private static final int INLINE_BYTES = 128;
    private static final int FIRST_NUMBERS = 16;
    private static final int FIRST_RING_BYTES = 8 << 10; // until data needs more
    private static final IOException MISTAKE = new IOException("an error while a completion was served");

    /** Hears of the peer's HELLO, or that there will be none, and of connects. On the thread that polls. */
    interface Handshake {
        /** The first message has come; the buffer is valid during the call. */
        void hello(ByteBuffer message, int length) throws IOException;

        /** The peer asks for a further connection. */
        void connect(Connect request) throws IOException;

        /** The session has ended. Any thread, once or twice. */
        void failed(IOException cause);

        /** No connection is left. Any thread, perhaps under a lock of the poller's. */
        void idle();
    }

    private final RdmaDevice device;
    private final CmId id;
    private final Handshake handshake;
    private final KeepAlive keepAlive;
    private final InetSocketAddress local; // null where the binding cannot tell
    private final InetSocketAddress remote; // the same
    private final long openedAtMillis = System.currentTimeMillis();
    private final CompletionPoller poller;
    private final SessionMemory memory;
    private final QueuePair queuePair;
    private final long tag;
    private final ReceiveQueue receives;
    private final SendQueue sends;
    private final AtomicBoolean released = new AtomicBoolean();
    private boolean greeted; // by whoever polls
    private volatile boolean takesAdverts; // the peer, as its HELLO says
    private volatile PortGid source; // null before the peer's HELLO, and where the binding cannot tell
    private volatile boolean ended; // failed, or the peer has gone

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Integer> freeNumbers = new ArrayDeque<>(); // guarded by lock; the longest unused first
    private int numbers; // guarded by lock: that were ever used
    private int open; // guarded by lock
    private long uses; // guarded by lock: connections so far
    private int watches; // guarded by lock: connections that want signs of life
    private boolean retiring; // guarded by lock: somebody looks later whether there is a connection again
    private boolean retired; // guarded by lock: takes no further connection
    private volatile AtomicReferenceArray<RdmaConnection> connections =
            new AtomicReferenceArray<>(FIRST_NUMBERS); // by number; written under lock

    /**
     * Creates a queue pair for an identifier whose device is known, ready to be connected.
     *
     * @param device of the identifier
     * @param id owned by this session if all goes well
     * @param keepAlive asks for signs of life
     * @param handshake hears of the peer
     * @throws IOException if there is no memory, or the device refuses
     */
    RdmaSession(RdmaDevice device, CmId id, KeepAlive keepAlive, Handshake handshake) throws IOException {
        this.device = device;
        this.id = id;
        this.keepAlive = keepAlive;
        this.handshake = handshake;
        local = id.localAddress();
        remote = id.peerAddress();
        memory = device.newMemory();
        tag = device.sessions().reserve();
        CompletionPoller reserved = null;
        try {
            reserved = device.poller();
            poller = reserved;
            queuePair = id.createQueuePair(memory.domain(), new QueuePairOptions(poller.queue(),
                    SendQueue.CAPACITY, ReceiveQueue.CAPACITY, INLINE_BYTES));
            receives = new ReceiveQueue(queuePair, memory.messages(), tag);
            sends = new SendQueue(queuePair, memory.messages(), tag, receives, poller.stalls());
        } catch (Throwable e) {
            if (reserved == null) {
                device.sessions().remove(tag);
            } else {
                reserved.forget(tag);
                reserved.giveBack(COMPLETIONS);
            }
            memory.close();
            throw e;
        }
        device.sessions().add(this);
        poller.attendStalls(); // the peer's HELLO must not wait until somebody polls
    }

    long tag() {
        return tag;
    }

    CmId id() {
        return id;
    }

    CompletionPoller poller() {
        return poller;
    }

    RdmaDevice device() {
        return device;
    }

    /** This end's address on the RDMA network; null where the binding cannot tell. */
    InetSocketAddress localAddress() {
        return local;
    }

    SendQueue sends() {
        return sends;
    }

    SessionMemory memory() {
        return memory;
    }

    /** Whether the peer understands adverts. */
    boolean takesAdverts() {
        return takesAdverts;
    }

    /** How many messages have come since the session began. */
    long messages() {
        return receives.posted();
    }

    /** Whether this session is of no use any more. */
    boolean hasEnded() {
        return ended;
    }

    // ---- handshake

    /** Sends this side's HELLO, with its first connection. */
    void hello(long session, RdmaConnection first, InetSocketAddress initiator, InetSocketAddress acceptor)
            throws VerbsException {
        sends.hello(new Hello(session, device.hasImmediate(), true, true, first.slot().forPeer(),
                (int) receives.posted(), 0, initiator, acceptor));
    }

    /** Sends a HELLO that says no. */
    void refuse(int reason, InetSocketAddress acceptor) throws VerbsException {
        sends.hello(new Hello(0, false, false, false, RemoteRing.NONE, (int) receives.posted(), reason, acceptor,
                acceptor));
    }

    /** The peer has said HELLO. On the thread that polls, before the peer's next message is served. */
    void begin(Hello peer, RdmaConnection first) throws VerbsException {
        takesAdverts = peer.adverts(); // before anybody has a connection
        first.begin(peer.ring());
        source = findSource(); // by whoever polls: the end of the session waits for it
        sends.begin(peer, device.hasImmediate() && peer.immediate());
        if (FlightEvents.isRecording()) {
            FlightEvents.linkUp(this::snapshot);
        }
    }

    private PortGid findSource() {
        try {
            return queuePair.source();
        } catch (VerbsException e) { // it is for reports alone
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + e.getMessage());
            return null;
        }
    }

    /** What reports say of this session. Any thread; takes its locks for moments. */
    SessionSnapshot snapshot() {
        PortGid known = source;
        int credit = sends.credit();
        boolean up = credit != SendQueue.UNKNOWN_CREDIT;
        String state = up ? SessionSnapshot.UP : SessionSnapshot.OPENING;
        return new SessionSnapshot(text(local), text(remote), device.name(), known == null ? 0 : known.port(),
                known == null ? PortGid.NO_GID : known.index(), ended ? SessionSnapshot.DOWN : state, connections(),
                up ? credit : 0, memory.pinnedBytes(), openedAtMillis);
    }

    private static String text(InetSocketAddress address) {
        return address == null ? SessionSnapshot.UNKNOWN : address.toString();
    }

    // ---- connections

    /**
     * Makes a connection with the longest unused number, by the initiator.
     *
     * @param maxRingBytes how large its rings may become
     * @return null if none is taken any more
     * @throws IOException if there is no memory
     */
    RdmaConnection open(int maxRingBytes) throws IOException {
        lock.lock();
        try {
            if (retired || ended || freeNumbers.isEmpty() && numbers == DataImmediate.NUMBERS) {
                return null;
            }
            RingSlot slot = firstSlot(maxRingBytes);
            Integer free = freeNumbers.poll();
            return add(free == null ? numbers++ : free, slot, maxRingBytes);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes a connection with the number that the initiator has chosen, by the acceptor. On the thread that polls.
     *
     * @return null if the session has ended: nobody would tell the connection
     * @throws IOException if there is no memory
     */
    RdmaConnection open(int number, int maxRingBytes) throws IOException {
        lock.lock();
        try {
            return ended ? null : add(number, firstSlot(maxRingBytes), maxRingBytes);
        } finally {
            lock.unlock();
        }
    }

    private RingSlot firstSlot(int maxRingBytes) throws IOException {
        return memory.take(Math.min(FIRST_RING_BYTES, maxRingBytes), PinBudget.Use.CONNECTIONS);
    }

    /** Takes memory for larger rings of a connection, if there is some and it has none. Any thread. */
    void takeLarger(RdmaConnection connection, int bytes) {
        lock.lock();
        try {
            if (!ended && connection(connection.number()) == connection && connection.larger() == null) {
                connection.setLarger(memory.take(bytes, PinBudget.Use.SPEED));
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: rings of an RDMA connection stay small: " + e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    private RdmaConnection add(int number, RingSlot slot, int maxRingBytes) {
        AtomicReferenceArray<RdmaConnection> all = connections;
        if (number >= all.length()) {
            AtomicReferenceArray<RdmaConnection> larger =
                    new AtomicReferenceArray<>(Math.max(Integer.highestOneBit(number) << 1, 2 * all.length()));
            for (int i = 0; i < all.length(); i++) {
                larger.setPlain(i, all.getPlain(i));
            }
            connections = larger;
            all = larger;
        }
        RdmaConnection connection = new RdmaConnection(this, number, slot, maxRingBytes, sends);
        all.set(number, connection);
        open++;
        uses++;
        return connection;
    }

    private int connections() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    private RdmaConnection connection(int number) {
        AtomicReferenceArray<RdmaConnection> all = connections;
        return number >= 0 && number < all.length() ? all.get(number) : null;
    }

    /** Both sides have closed a connection, and all has arrived: number and memory may be used again. Any thread. */
    void free(RdmaConnection connection) {
        connection.clear();
        poller.forget(connection.sleepers());
        boolean idle;
        lock.lock();
        try {
            connections.set(connection.number(), null);
            if (numbers > 0) { // this side chooses them
                freeNumbers.addLast(connection.number());
            }
            open--;
            idle = open == 0;
            memory.giveBack(connection.slot());
            if (connection.larger() != null) {
                memory.giveBack(connection.larger());
            }
        } finally {
            lock.unlock();
        }
        device.trimLater(memory);
        if (idle) {
            handshake.idle();
        }
    }

    /** How many connections there have been. */
    long uses() {
        lock.lock();
        try {
            return uses;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is no connection, and nobody knows who is to end this session. */
    boolean beginRetiring() {
        lock.lock();
        try {
            boolean begins = open == 0 && !retiring;
            retiring |= begins;
            return begins;
        } finally {
            lock.unlock();
        }
    }

    /** Takes no further connection, if there is none now and was none since {@code knownUses} were counted. */
    boolean retire(long knownUses) {
        lock.lock();
        try {
            retiring = false;
            retired |= open == 0 && uses == knownUses;
            return retired;
        } finally {
            lock.unlock();
        }
    }

    private boolean isRetired() {
        lock.lock();
        try {
            return retired;
        } finally {
            lock.unlock();
        }
    }

    /** One connection more, or one less, wants to know whether the peer's host still answers. */
    void keepAlive(boolean on) {
        lock.lock();
        try {
            watches += on ? 1 : -1;
            if (watches > 0) {
                keepAlive.watch(this);
            } else {
                keepAlive.forget(this);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- completions, on the thread that polls

    /** Serves a completion. */
    void completed(CompletionQueue queue, int index, long workRequest) {
        try {
            int status = queue.status(index);
            if (status != CompletionStatus.SUCCESS) {
                failed(status, queue.vendorError(index), WorkRequestIds.isSend(workRequest));
            } else if (WorkRequestIds.isSend(workRequest)) {
                boolean lent = sends.completed(WorkRequestIds.value(workRequest));
                for (RdmaConnection next = sends.nextFinished(); next != null; next = sends.nextFinished()) {
                    next.checkOver();
                }
                if (lent) {
                    wakeLenders();
                }
            } else {
                received(queue, index, WorkRequestIds.value(workRequest));
            }
        } catch (Throwable e) {
            failAfter(e);
        }
    }

    private void wakeLenders() {
        for (RdmaConnection next = sends.nextAcknowledged(); next != null; next = sends.nextAcknowledged()) {
            next.acknowledged();
        }
    }

    /** What goes wrong while a completion is served costs its session, and not all others theirs. Needs no memory. */
    private void failAfter(Throwable cause) {
        if (cause instanceof IOException known) {
            fail(known);
        } else {
            OwnThreads.report(LOG, "rsockets4j: an RDMA session is reset after an error", cause);
            fail(MISTAKE);
        }
    }

    private void failed(int status, int vendorError, boolean send) {
        if (ended) {
            return; // everybody knows
        }
        String message = (send ? "send" : "receive") + " completed with error: " + CompletionStatus.name(status)
                + " (status " + status + ", vendor_err 0x" + Integer.toHexString(vendorError) + ")";
        fail(status == CompletionStatus.RETRIES_EXCEEDED ? new SocketTimeoutException(message)
                : new IOException(message));
    }

    private void received(CompletionQueue queue, int index, int receive) throws IOException {
        RdmaConnection served = queue.hasImmediate(index)
                ? data(queue.immediate(index), queue.byteLength(index))
                : message(memory.messages().received(receive), queue.byteLength(index));
        if (served != null) {
            served.wake();
        }
        if (receives.postSoon(receive)) {
            poller.defer(this);
        }
    }

    /** Posts receives again, now that nobody waits for what has come. On the thread that polls. */
    void postDeferred() {
        try {
            receives.postDeferred();
            sends.receivePosted();
        } catch (Throwable e) {
            failAfter(e);
        }
    }

    private RdmaConnection data(int immediate, int length) throws IOException {
        if (!DataImmediate.isData(immediate)) {
            throw new ProtocolException("unknown immediate 0x" + Integer.toHexString(immediate));
        }
        RdmaConnection connection = known(DataImmediate.number(immediate), "DATA");
        boolean readable = true;
        if (DataImmediate.isDirect(immediate)) {
            readable = connection.directData(length, DataImmediate.isLast(immediate));
        } else {
            connection.data(length);
        }
        sends.grantedWithData(DataImmediate.credit(immediate));
        return readable ? connection : null;
    }

    private RdmaConnection known(int number, String what) throws ProtocolException {
        RdmaConnection connection = connection(number);
        if (connection == null) {
            throw new ProtocolException(what + " for connection " + number + ", which is not there");
        }
        return connection;
    }

    private RdmaConnection message(ByteBuffer message, int length) throws IOException {
        if (!greeted) {
            greeted = true;
            handshake.hello(message, length);
            return null;
        }
        byte type = length > 0 ? message.get(MessageDescriptor.TYPE) : 0;
        if (type == MessageDescriptor.STATE && length == MessageDescriptor.STATE_BYTES) {
            return state(message);
        } else if (type == MessageDescriptor.DATA && length == MessageDescriptor.DATA_BYTES) {
            // no device tells how long that write was
            return data(message.getInt(MessageDescriptor.DATA_IMMEDIATE),
                    message.getInt(MessageDescriptor.DATA_LENGTH));
        } else if (type == MessageDescriptor.GRANT && length == MessageDescriptor.GRANT_BYTES) {
            sends.granted(message.getLong(MessageDescriptor.GRANT_RECEIVES));
        } else if (type == MessageDescriptor.ADVERT && length == MessageDescriptor.ADVERT_BYTES) {
            return advert(message);
        } else if (type == MessageDescriptor.WITHDRAW && length == MessageDescriptor.WITHDRAW_BYTES) {
            known(message.getInt(MessageDescriptor.NUMBER), "WITHDRAW").out().withdrawnByPeer();
        } else if (type == MessageDescriptor.WITHDRAWN && length == MessageDescriptor.WITHDRAW_BYTES) {
            known(message.getInt(MessageDescriptor.NUMBER), "WITHDRAWN").withdrawn();
        } else if (type == MessageDescriptor.CONNECT && length == MessageDescriptor.CONNECT_BYTES) {
            connect(Connect.decode(message));
        } else if (type == MessageDescriptor.ACCEPT && length == MessageDescriptor.ACCEPT_BYTES) {
            answer(message);
        } else {
            return aboutRings(type, message, length);
        }
        return null;
    }

    private RdmaConnection aboutRings(byte type, ByteBuffer message, int length) throws IOException {
        if (type == MessageDescriptor.MORE && length == MessageDescriptor.MORE_BYTES) {
            known(message.getInt(MessageDescriptor.NUMBER), "MORE")
                    .moreIsWanted(message.getInt(MessageDescriptor.MORE_MAX_BYTES));
        } else if (type == MessageDescriptor.MOVE && length == MessageDescriptor.MOVE_BYTES) {
            known(message.getInt(MessageDescriptor.NUMBER), "MOVE")
                    .moved(message.getLong(MessageDescriptor.MOVE_FROM));
        } else if (type == MessageDescriptor.RING && length == MessageDescriptor.RING_BYTES) {
            RdmaConnection connection = known(message.getInt(MessageDescriptor.NUMBER), "RING");
            connection.ringIsOffered(RemoteRing.decode(message, MessageDescriptor.RING_ADDRESS));
            return connection;
        } else {
            throw new ProtocolException("unexpected message of type " + type + ", " + length + " bytes");
        }
        return null;
    }

    private RdmaConnection state(ByteBuffer message) throws IOException {
        int number = message.getInt(MessageDescriptor.NUMBER);
        sends.granted(message.getLong(MessageDescriptor.STATE_RECEIVES));
        if (connection(number) == null && message.get(MessageDescriptor.STATE_FLAGS) == RdmaConnection.GIVEN_UP) {
            return null; // a connect that this side has refused
        }
        RdmaConnection connection = known(number, "STATE");
        connection.state(message);
        connection.checkOver();
        return connection;
    }

    private RdmaConnection advert(ByteBuffer message) throws IOException {
        RdmaConnection connection = known(message.getInt(MessageDescriptor.NUMBER), "ADVERT");
        sends.granted(message.getLong(MessageDescriptor.ADVERT_RECEIVES));
        connection.advert(message);
        return connection;
    }

    private void connect(Connect request) throws IOException {
        RdmaConnection before = connection(request.number());
        if (before != null && !before.giveUpNumber()) {
            throw new ProtocolException("CONNECT with number " + request.number() + ", which is in use");
        }
        handshake.connect(request);
    }

    /** The peer's answer to a connect. */
    private void answer(ByteBuffer message) throws IOException {
        RdmaConnection connection = known(message.getInt(MessageDescriptor.NUMBER), "ACCEPT");
        if (!connection.isAsked()) {
            throw new ProtocolException("ACCEPT for connection " + connection.number() + ", which nobody asked for");
        }
        int refusal = message.get(MessageDescriptor.ACCEPT_REFUSAL);
        sends.answered(connection.out(), refusal != 0);
        if (refusal == 0) {
            RemoteRing ring = RemoteRing.decode(message, MessageDescriptor.ACCEPT_RING_ADDRESS);
            ring.check("ACCEPT");
            connection.begin(ring);
            connection.opened().complete(connection);
        } else {
            connection.refused(refusal);
        }
    }

    // ---- the end

    /** The session is of no use any more, and none of its connections. Any thread. */
    void fail(IOException cause) {
        if (end(cause, connection -> connection.fail(cause))) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: an RDMA session failed: " + cause.getMessage());
            tellOfTheEnd(cause);
        }
    }

    /** The peer has disconnected, or its process has ended. The connection manager's thread. */
    void disconnected() {
        poller.serveAll(); // what it sent before
        IOException cause = new IOException("the peer disconnected");
        if (end(cause, connection -> connection.gone(cause))) {
            tellOfTheEnd(cause);
        }
    }

    /** Tells all connections. Returns false if that has been done before. */
    private boolean end(IOException cause, Consumer<RdmaConnection> news) {
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            ended = true; // under the lock: no connection comes after it
        } finally {
            lock.unlock();
        }
        if (FlightEvents.isRecording() && sends.credit() != SendQueue.UNKNOWN_CREDIT) { // it was up
            record(cause); // before its connections are freed
        }
        AtomicReferenceArray<RdmaConnection> all = connections;
        for (int i = 0; i < all.length(); i++) {
            RdmaConnection connection = all.get(i);
            if (connection != null) {
                news.accept(connection);
            }
        }
        return true;
    }

    private void record(IOException cause) {
        try {
            FlightEvents.linkDown(this::snapshot, cause.getMessage());
        } catch (Throwable e) { // its connections must hear of the end all the same
            OwnThreads.report(LOG, "rsockets4j: the end of an RDMA session is not in the flight recording", e);
        }
    }

    private void tellOfTheEnd(IOException cause) {
        try {
            handshake.failed(cause);
        } catch (Throwable e) { // nobody who ends many sessions must stop at this one
            OwnThreads.report(LOG, "rsockets4j: an RDMA session could not be ended", e);
        }
    }

    /** The process ends: delivers what was accepted. Looks for completions until that is done or time is over. */
    void deliver(long deadlineNanos) {
        try {
            sends.probe(); // answered when all that was posted before has arrived
        } catch (IOException e) {
            fail(e);
        }
        while (!ended && !sends.isQuiet() && deadlineNanos - System.nanoTime() > 0) {
            poller.poll();
            Thread.onSpinWait();
        }
    }

    /** Destroys the queue pair and gives the memory back. The connection manager's thread. Idempotent. */
    void release() {
        if (!released.compareAndSet(false, true)) {
            return;
        }
        IOException cause = new IOException(isRetired() ? "it had no connection for a while"
                : "this side has given the RDMA session up");
        end(cause, connection -> connection.fail(cause)); // a peer that said HELLO at the last moment may have one
        keepAlive.forget(this);
        try {
            id.disconnect();
        } catch (IOException e) { // it never came up, or is down already
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + e.getMessage());
        }
        poller.forget(tag);
        sends.close();
        id.destroy();
        poller.giveBack(COMPLETIONS);
        memory.close();
    }
}
