/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.flight.FlightEvents;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A session of two processes: the connections that share a queue pair, their memory, and what is sent. Serves the
 * completions of its link, on the thread that polls. Its {@link Handshake} hears of HELLO and of connects.
 */
final class RdmaSession implements SessionLink.Owner, KeepAlive.Watched {
    private static final Log LOG = Log.of(RdmaSession.class);
    private static final int FIRST_NUMBERS = 16;
    private static final int FIRST_RING_BYTES = 8 << 10; // until data needs more
    private static final IOException MISTAKE = new IOException("an error while a completion was served");

    /** Hears of the peer's HELLO, or that there will be none, and of connects. On the thread that polls. */
    interface Handshake {
        /** The first message has come; the buffer is valid during the call. */
        void hello(ByteBuffer message, int length) throws IOException;

        /** The peer asks for a further connection. */
        void connect(Connect request) throws IOException;

        /** The peer says where a second link can be made; the buffer is valid during the call. */
        void links(ByteBuffer message, int length) throws IOException;

        /** A second link is missing from now on. The connection manager's thread. */
        void linkIsMissing();

        /** The session has ended. Any thread, once or twice. */
        void failed(IOException cause);

        /** No connection is left. Any thread, perhaps under a lock of the poller's. */
        void idle();
    }

    private static final AtomicInteger CREATED = new AtomicInteger();

    private final int number = CREATED.incrementAndGet(); // for reports
    private final Handshake handshake;
    private final KeepAlive keepAlive;
    private final SessionMemory memory;
    private final SendQueue sends;
    private final SessionLinks links;
    private final InetSocketAddress local; // null where the binding cannot tell
    private final AtomicBoolean released = new AtomicBoolean();
    private boolean helloCame; // by whoever polls
    private volatile boolean takesAdverts; // the peer, as its HELLO says
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
     * Creates a link for an identifier whose device is known, ready to be connected.
     *
     * @param device of the identifier
     * @param id owned by this session if all goes well
     * @param cm where links are moved
     * @param keepAlive asks for signs of life
     * @param switchNanos how long both sides may take to go over to another link
     * @param handshake hears of the peer
     * @throws IOException if there is no memory, or the device refuses
     */
    RdmaSession(RdmaDevice device, CmId id, CmThread cm, KeepAlive keepAlive, long switchNanos, Handshake handshake)
            throws IOException {
        this.keepAlive = keepAlive;
        this.handshake = handshake;
        SessionLink link = new SessionLink(device, id, this);
        local = link.localAddress();
        links = new SessionLinks(this, cm, keepAlive.idleNanos(), switchNanos, link);
        memory = new SessionMemory(link.memory(), device.budget());
        sends = new SendQueue(outlet(link));
        link.serve();
    }

    private static SendQueue.Outlet outlet(SessionLink link) {
        return new SendQueue.Outlet(link.queuePair(), link.memory().messages(), link.tag(), link.receives(),
                link.poller().stalls());
    }

    SessionLinks links() {
        return links;
    }

    CompletionPoller poller() {
        return links.active().poller();
    }

    RdmaDevice device() {
        return links.active().device();
    }

    /** This end's address on the RDMA network, by the first link; null where the binding cannot tell. */
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

    @Override
    public long messages() {
        return links.active().receives().posted();
    }

    /** Whether this session is of no use any more. */
    @Override
    public boolean hasEnded() {
        return ended;
    }

    // ---- handshake

    /** Sends this side's HELLO, with its first connection. */
    void hello(long session, boolean links, RdmaConnection first, InetSocketAddress initiator,
            InetSocketAddress acceptor) throws VerbsException {
        sends.hello(new Hello(session, device().hasImmediate(), true, true, links, first.slot().forPeer(),
                (int) messages(), 0, initiator, acceptor));
    }

    /** Sends a HELLO that says no. */
    void refuse(int reason, InetSocketAddress acceptor) throws VerbsException {
        sends.hello(new Hello(0, false, false, false, false, RemoteRing.NONE, (int) messages(), reason, acceptor,
                acceptor));
    }

    /** The peer has said HELLO. On the thread that polls, before the peer's next message is served. */
    void begin(Hello peer, RdmaConnection first) throws VerbsException {
        takesAdverts = peer.adverts(); // before anybody has a connection
        first.begin(peer.ring());
        links.active().up(); // by whoever polls: the end of the session waits for it
        sends.begin(peer, device().hasImmediate() && peer.immediate());
        if (FlightEvents.isRecording()) {
            FlightEvents.linkUp(links.active()::snapshot);
        }
    }

    @Override
    public SessionSnapshot snapshot(SessionLink of) {
        if (of != links.active()) {
            return of.snapshot(number, SessionSnapshot.STANDBY, 0, 0, of.memory().bytes());
        }
        int credit = sends.credit();
        boolean up = credit != SendQueue.UNKNOWN_CREDIT;
        String state = up ? SessionSnapshot.UP : SessionSnapshot.OPENING;
        return of.snapshot(number, ended ? SessionSnapshot.DOWN : state, connections(), up ? credit : 0,
                memory.pinnedBytes());
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
                connection.setLarger(memory.take(bytes, PinBudget.Use.GROWTH));
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
        poller().forget(connection.sleepers());
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
        device().trimLater(memory);
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

    @Override
    public void probe() {
        try {
            sends.probe();
        } catch (IOException e) {
            fail(e);
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

    @Override
    public void sent(SessionLink by, int value) throws IOException {
        if (by != links.active()) {
            by.answered(value);
            return;
        }
        if (!sends.completed(value)) {
            return;
        }
        for (RdmaConnection next = sends.nextFinished(); next != null; next = sends.nextFinished()) {
            next.checkOver();
        }
        for (RdmaConnection next = sends.nextAcknowledged(); next != null; next = sends.nextAcknowledged()) {
            next.acknowledged();
        }
    }

    /** What goes wrong while a completion is served costs its session, and not all others theirs. */
    @Override
    public void failedAfter(SessionLink by, Throwable cause) {
        if (cause instanceof VerbsException refused) {
            links.failed(by, refused, false);
        } else if (cause instanceof IOException known) {
            fail(known);
        } else {
            OwnThreads.report(LOG, "rsockets4j: an RDMA session is reset after an error", cause);
            fail(MISTAKE);
        }
    }

    @Override
    public void failed(SessionLink by, IOException cause) {
        links.failed(by, cause, false);
    }

    @Override
    public void data(SessionLink by, int immediate, int length) throws IOException {
        requireInUse(by, MessageDescriptor.DATA);
        wake(data(immediate, length));
    }

    @Override
    public void message(SessionLink by, ByteBuffer message, int length) throws IOException {
        byte type = length > 0 ? message.get(MessageDescriptor.TYPE) : 0;
        if (helloCame && type == MessageDescriptor.SWITCH && length == MessageDescriptor.SWITCH_BYTES) {
            links.peerSwitches(by, message.getInt(MessageDescriptor.SWITCH_CONNECTIONS));
        } else if (helloCame && type == MessageDescriptor.RESUME && length == MessageDescriptor.RESUME_BYTES) {
            links.peerResumes(Resume.decode(message));
        } else {
            requireInUse(by, type);
            wake(message(message, length));
        }
    }

    private void requireInUse(SessionLink by, byte type) throws ProtocolException {
        links.awaitMove();
        if (by != links.active()) {
            throw new ProtocolException("a message of type " + type + " by a link that is not in use");
        }
    }

    private static void wake(RdmaConnection served) {
        if (served != null) {
            served.wake();
        }
    }

    @Override
    public void receivesPosted(SessionLink by) throws IOException {
        if (by == links.active()) {
            sends.receivePosted();
        }
    }

    private RdmaConnection data(int immediate, int length) throws IOException {
        if (!DataImmediate.isData(immediate)) {
            throw new ProtocolException("unknown immediate 0x" + Integer.toHexString(immediate));
        }
        RdmaConnection connection = known(DataImmediate.number(immediate), "DATA");
        boolean readable = true;
        if (DataImmediate.isDirect(immediate)) {
            readable = connection.directData(length, DataImmediate.isLastOrLarge(immediate));
        } else {
            connection.data(length, DataImmediate.isLastOrLarge(immediate));
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
        if (!helloCame) {
            helloCame = true;
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
        } else if (type == MessageDescriptor.LINKS) {
            handshake.links(message, length);
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

    // ---- another link

    /**
     * Goes over to another link; the one before is destroyed. The connection manager's thread.
     *
     * @param next which stands
     * @param use makes it the one in use
     * @return the connections; null if the session has ended
     */
    List<RdmaConnection> moveTo(SessionLink next, Runnable use) throws IOException {
        lock.lock();
        try {
            if (ended) {
                return null;
            }
            memory.moveTo(next.memory());
            use.run();
            List<RdmaConnection> all = new ArrayList<>(open);
            AtomicReferenceArray<RdmaConnection> known = connections;
            for (int i = 0; i < known.length(); i++) {
                RdmaConnection connection = known.get(i);
                if (connection != null) {
                    all.add(connection);
                }
            }
            sends.switchTo(outlet(next), next.peerReceives(), next.isImmediate(), all);
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** A second link is missing from now on. The connection manager's thread. */
    void linkIsMissing() {
        handshake.linkIsMissing();
    }

    // ---- the end

    /**
     * Something has failed: the link, if its device refuses, so that the connections go on over another one if there
     * is one; else the session, and none of its connections is of use any more. Any thread.
     *
     * @return whether the session has ended
     */
    boolean fail(IOException cause) {
        if (cause instanceof VerbsException) {
            return links.failed(links.active(), cause, false);
        }
        end(cause, false);
        return true;
    }

    /** No link is left, or something else is wrong. If the peer has gone, connections end as its process has. */
    void end(IOException cause, boolean gone) {
        if (end(cause, gone ? connection -> connection.gone(cause) : connection -> connection.fail(cause))) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: an RDMA session failed: " + cause.getMessage());
            tellOfTheEnd(cause);
        }
    }

    /** The connection manager tells that a link is of no use any more. Its thread. */
    void linkFailed(CmId by, IOException cause) {
        SessionLink failed = links.of(by);
        if (failed != null) {
            links.failed(failed, cause, false);
        }
    }

    /** The peer has disconnected a link, or its process has ended. The connection manager's thread. */
    void disconnected(CmId by) {
        SessionLink failed = links.of(by);
        if (failed != null) {
            failed.poller().serveAll(); // what it sent before
            links.failed(failed, new IOException("the peer disconnected"), true);
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
            FlightEvents.linkDown(links.active()::snapshot, cause.getMessage());
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

    @Override
    public void deliver(SessionLink by, long deadlineNanos) {
        if (by != links.active()) {
            return;
        }
        probe(); // answered when all that was posted before has arrived
        while (!ended && !sends.isQuiet() && deadlineNanos - System.nanoTime() > 0) {
            poller().poll();
            Thread.onSpinWait();
        }
    }

    /** Destroys the queue pairs and gives the memory back. The connection manager's thread. Idempotent. */
    void release() {
        if (!released.compareAndSet(false, true)) {
            return;
        }
        IOException cause = new IOException(isRetired() ? "it had no connection for a while"
                : "this side has given the RDMA session up");
        end(cause, connection -> connection.fail(cause)); // a peer that said HELLO at the last moment may have one
        keepAlive.forget(this);
        links.close(sends::close, memory::close);
    }
}
