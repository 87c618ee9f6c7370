/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.MESSAGE_BYTES;

import io.rsockets4j.core.direct.Advert;
import io.rsockets4j.core.direct.DirectCorruptedException;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The send queue of a session: posts the data and messages of its connections as far as its slots and the peer's
 * receives allow, and keeps whose turn it is until they do. Thread-safe: the sending directions, whoever polls for
 * completions and whoever closes post here, under one lock that is never held while waiting.
 *
 * <p>Turns: connections with data wait in a line, as do those with messages. Who is first posts one write or one
 * message, and goes to the end of its line if it has more. A stream beside short messages is held: {@link DataLine}.
 *
 * <p>Credit for receives: data leaves {@link #RESERVED_RECEIVES} of the peer's receives alone, a message leaves one,
 * and the last one is for a GRANT of at least half of a receive queue. So the two sides never both stand without. What
 * data can grant needs no GRANT: see {@code docs/decisions/0006-verbs.md}.
 *
 * <p>When the link fails and there is another one, nothing is posted until both sides have told each other what has
 * arrived: {@link #suspend}, {@link #switchTo}, {@link #resume}. Counts of work requests go on; those of receives are
 * the link's.
 */
final class SendQueue {
    /** What is known of the peer's receives before it says something. */
    static final int UNKNOWN_CREDIT = -1;
    /** Receives of the peer that data leaves alone. */
    static final int RESERVED_RECEIVES = 4;
    private static final int RESERVED_SLOTS = 4;

    /** What a link gives to post with. */
    record Outlet(QueuePair queuePair, MessageBuffers buffers, long tag, ReceiveQueue receives, Stalls stalls) { }

    private final ReentrantLock lock = new ReentrantLock();
    private volatile ReceiveQueue receives; // written under lock
    private RemoteRing probed; // guarded by lock, as all that follows: where nothing is written to
    private QueuePair queuePair;
    private MessageBuffers buffers;
    private long tag;
    private Stalls stalls;
    private MessageWriter writer;
    private int inlineBytes;
    private boolean leaving; // the link has failed, and nothing is posted by it
    private boolean suspended; // until both sides have resumed on another link
    private final ArrayDeque<SendSide> resuming = new ArrayDeque<>(); // have to tell what has arrived
    private final DataLine data = new DataLine();
    private final ArrayDeque<SendSide> withMessages = new ArrayDeque<>();
    private final ArrayDeque<SendSide> finished = new ArrayDeque<>(); // have posted their last message, in order
    private final ArrayDeque<SendSide> lenders = new ArrayDeque<>(); // have posted a part of what was lent, in order
    private final ArrayDeque<OutgoingMessage> others = new ArrayDeque<>(); // messages of no connection
    private final SendCounts counts = new SendCounts(); // of work requests
    private long probedCount; // of those that have to be acknowledged before the next look
    private final SendCredit credit = new SendCredit();
    private int answersDue; // of the peer, to connects
    private volatile boolean stalled; // something is due that could not be posted; or no answer has come; under lock
    private volatile boolean awaited; // somebody is to hear that some work request has completed; written under lock
    private boolean begun; // the peer's HELLO has come
    private boolean closed;
    private boolean immediate;
    private boolean movesRings; // the peer, if it is asked

    /** Creates one that posts nothing before the peer's HELLO has come, but for this side's. */
    SendQueue(Outlet link) {
        use(link);
        stalled(true); // until the peer's HELLO brings credit
    }

    private void use(Outlet link) {
        queuePair = link.queuePair;
        buffers = link.buffers;
        tag = link.tag;
        stalls = link.stalls;
        writer = new MessageWriter(buffers.sent());
        inlineBytes = queuePair.inlineBytes();
        receives = link.receives;
    }

    /** The peer's HELLO has come. */
    void begin(Hello peer, boolean withImmediate) throws VerbsException {
        lock.lock();
        try {
            begun = true;
            probed = peer.ring();
            credit.begin(peer.receives());
            immediate = withImmediate;
            movesRings = peer.movesRings();
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a HELLO, for which every peer has a receive. Comes before all else. */
    void hello(Hello own) throws VerbsException {
        lock.lock();
        try {
            if (!closed) {
                int at = message();
                postMessage(at, writer.any(at, own::encode), true);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- what is due

    /** A connection has data to send. For its sending direction. */
    void dataIsDue(SendSide sender) throws VerbsException {
        lock.lock();
        try {
            boolean joins = sender.waitForData();
            if (joins && !data.hasNext() && mayPostData() && !data.holds(sender)) { // nearly always: it is its turn
                takeTurn(sender);
            } else if (joins) {
                data.add(sender);
            }
            if (stalled || isDue()) {
                flush();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A connection has its state to send, with further flags. */
    void stateIsDue(SendSide sender, int furtherFlags) throws VerbsException {
        lock.lock();
        try {
            if (!sender.hasEnded() && sender.waitForState(furtherFlags)) {
                withMessages.addLast(sender);
            }
            if (sender.dropData()) {
                data.remove(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** A connection has a buffer to advertise behind so many others. Returns false if that cannot be now. */
    boolean advertIsDue(SendSide sender, MemoryRegion buffer, int from, boolean waitAll, int index)
            throws VerbsException {
        lock.lock();
        try {
            if (sender.hasEnded() || !sender.mayAdvertise(buffer, index)) {
                return false;
            }
            if (sender.waitForAdvert(buffer, from, waitAll)) {
                withMessages.addLast(sender);
            }
            flush();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A connection is to ask for its buffer back, or to confirm that it uses the peer's no more. */
    void withdrawalIsDue(SendSide sender, boolean ofPeer) throws VerbsException {
        lock.lock();
        try {
            if (!sender.hasEnded() && sender.waitForWithdrawal(ofPeer)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** The peer of a connection has advertised a buffer. Whoever polls. */
    void advertised(SendSide sender, Advert advert) throws DirectCorruptedException {
        lock.lock();
        try {
            sender.hold(advert);
        } finally {
            lock.unlock();
        }
    }

    /** A connection has more to send than the peer's ring has room for. For its sending direction. */
    void moreIsDue(SendSide sender) throws VerbsException {
        lock.lock();
        try {
            if (movesRings && !sender.hasEnded() && sender.waitForMore()) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** The peer offers a connection a larger ring. Whoever polls. */
    void offered(SendSide sender, int key) {
        lock.lock();
        try {
            sender.offeredKey(key);
        } finally {
            lock.unlock();
        }
    }

    /** A connection offers its peer a larger ring. Whoever polls. */
    void offerIsDue(SendSide sender, RemoteRing ring) throws VerbsException {
        lock.lock();
        try {
            if (!sender.hasEnded() && sender.waitForOffer(ring)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** A connection writes to a larger ring from now on. For its sending direction. */
    void moveIsDue(SendSide sender, SendSide.Target to) throws VerbsException {
        lock.lock();
        try {
            if (sender.waitForMove(to)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A connection is to be opened.
     *
     * @param isAnswered whether the peer answers, for which somebody waits
     */
    void openingIsDue(SendSide sender, OutgoingMessage message, boolean isAnswered) throws VerbsException {
        lock.lock();
        try {
            answersDue += isAnswered ? 1 : 0;
            if (sender.waitForOpening(message)) {
                withMessages.addLast(sender);
            }
            flush();
        } finally {
            lock.unlock();
        }
    }

    /** A connect was answered; if it was refused, nothing more is sent for that connection. Whoever polls. */
    void answered(SendSide sender, boolean refused) {
        lock.lock();
        try {
            answersDue--;
            if (refused) {
                sender.refuse();
            }
            findStall();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A message of no connection is to be sent, such as that one is not to be opened.
     *
     * @throws ProtocolException if the peer asks for more and more without reading the answers
     */
    void messageIsDue(OutgoingMessage message) throws VerbsException, ProtocolException {
        lock.lock();
        try {
            if (others.size() == DataImmediate.NUMBERS) {
                throw new ProtocolException("too many CONNECTs");
            }
            others.addLast(message);
            flush();
        } finally {
            lock.unlock();
        }
    }

    // ---- another link

    /** The link has failed: nothing is posted any more. */
    void suspend() {
        lock.lock();
        try {
            leaving = true;
            suspended = true;
            findStall();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Goes over to another link, and tells the peer there what has arrived by the one before. Nothing else is posted
     * before {@link #resume}.
     *
     * @param link whose first message has been sent
     * @param peerReceives how many the peer has posted there
     * @param withImmediate whether writes carry immediate data there
     * @param all the connections, those to be opened among them
     */
    void switchTo(Outlet link, int peerReceives, boolean withImmediate, List<RdmaConnection> all)
            throws VerbsException {
        lock.lock();
        try {
            leaving = false;
            stalled(false);
            counts.restart();
            credit.restart(peerReceives);
            immediate = withImmediate;
            use(link);
            for (ArrayDeque<?> line : List.of(resuming, withMessages, finished, lenders, others)) {
                line.clear();
            }
            data.clear(counts.posted());
            for (RdmaConnection connection : all) {
                if (connection.out().interrupt()) {
                    resuming.addLast(connection.out());
                }
            }
            int at = message();
            postMessage(at, writer.switchOver(at, resuming.size()), true);
            flush();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The peer has told what has arrived: goes on from there.
     *
     * @param told what, by the numbers of connections
     * @param all the connections of {@link #switchTo}
     * @return those of them that cannot go on
     * @throws ProtocolException if something cannot be
     */
    List<RdmaConnection> resume(Map<Integer, Resume> told, List<RdmaConnection> all)
            throws VerbsException, ProtocolException {
        List<RdmaConnection> lost = new ArrayList<>();
        lock.lock();
        try {
            for (RdmaConnection connection : all) {
                SendSide sender = connection.out();
                if (!sender.isInterrupted()) {
                    continue;
                }
                Resume known = told.get(connection.number());
                if (!sender.resume(known)) {
                    lost.add(connection);
                    answersDue -= connection.isAsked() ? 1 : 0; // no answer comes
                    continue;
                }
                probed = sender.probed(probed);
                if (sender.waitForMessage()) {
                    withMessages.addLast(sender);
                }
                if (sender.waitForDataLeft()) {
                    data.add(sender);
                }
            }
            suspended = false;
            flush();
        } finally {
            lock.unlock();
        }
        return lost;
    }

    // ---- credit

    /** How many of the peer's receives this side may use, for reports; {@link #UNKNOWN_CREDIT} before its HELLO. */
    int credit() {
        lock.lock();
        try {
            return begun ? (int) credit.left() : UNKNOWN_CREDIT;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A send has completed, and all before it. Whoever polls; takes no lock unless somebody waits for this, as most
     * often nobody does, and the lock would have to be waited for.
     *
     * @return whether {@link #nextFinished} and {@link #nextAcknowledged} may have news
     */
    boolean completed(int value) throws VerbsException {
        // volatile loads after the store of the count: pair with flush, and with awaits
        if (!counts.complete(value) || !stalled && !awaited) {
            return false;
        }
        lock.lock();
        try {
            flush();
            boolean told = awaited;
            awaited = !finished.isEmpty() || !lenders.isEmpty();
            return told;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The peer has granted receives by a message, up to a count. Whoever polls.
     *
     * @throws ProtocolException if that count cannot be
     */
    void granted(long receivesOfPeer) throws VerbsException, ProtocolException {
        lock.lock();
        try {
            credit.grant(receivesOfPeer);
            flush();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The peer's data says how many receives it has posted. Whoever polls.
     *
     * @throws ProtocolException if that cannot be
     */
    void grantedWithData(int said) throws VerbsException, ProtocolException {
        if (credit.isNew(said)) { // seldom: no lock for each message
            lock.lock();
            try {
                credit.grantWithData(said);
                flush();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Receives were posted again: grants half a queue at a time, unless data has done so. */
    void receivePosted() throws VerbsException {
        if (receives.isGrantDue()) {
            lock.lock();
            try {
                flush();
            } finally {
                lock.unlock();
            }
        }
    }

    // ---- the end

    /** Whether something holds that this queue's lock guards. */
    boolean holds(BooleanSupplier condition) {
        lock.lock();
        try {
            return condition.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** Takes something that this queue's lock guards. */
    <T> T take(Supplier<T> taken) {
        lock.lock();
        try {
            return taken.get();
        } finally {
            lock.unlock();
        }
    }

    /** Whether so many work requests have been acknowledged by the peer's device. Under the lock. */
    boolean hasCompleted(long count) {
        return counts.hasCompleted(count);
    }

    /** A connection whose last message has been acknowledged, of which that was not known; null if there is none. */
    RdmaConnection nextFinished() {
        lock.lock();
        try {
            SendSide next = finished.peekFirst();
            return next != null && hasCompleted(next.finalCount()) ? finished.pollFirst().connection() : null;
        } finally {
            lock.unlock();
        }
    }

    /** A connection whose memory was lent, all of which the peer's device has got since; null if there is none. */
    RdmaConnection nextAcknowledged() {
        lock.lock();
        try {
            SendSide next = lenders.peekFirst();
            return next != null && next.acknowledge(counts.completed()) ? lenders.pollFirst().connection() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything that was due has been acknowledged by the peer's device. */
    boolean isQuiet() {
        lock.lock();
        try {
            return closed || !suspended && resuming.isEmpty() && !isDue() && counts.unacknowledged() == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is posted any more: the queue pair is about to go. */
    void close() {
        lock.lock();
        closed = true;
        stalled(false);
        lock.unlock();
    }

    /**
     * Whether all that was posted before the last look has been acknowledged. What has not is followed by a probe, as
     * most work requests are acknowledged with a later one. The connection manager's thread.
     */
    boolean isAnswering() throws VerbsException {
        lock.lock();
        try {
            if (suspended || counts.unacknowledged() == 0) {
                probedCount = 0;
                return true;
            }
            if (!hasCompleted(probedCount)) {
                return false;
            }
            probe();
            probedCount = counts.signalled();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Writes nothing, only to hear whether the peer's host still answers. */
    void probe() throws VerbsException {
        lock.lock();
        try {
            if (begun && !closed && !suspended && counts.hasSlot()) {
                queuePair.postWrite(nextId(), 0, 0, buffers.localKey(), probed.address(), probed.key(),
                        QueuePair.SIGNALED);
                counts.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- posting, under the lock

    private void flush() throws VerbsException {
        long seen;
        do {
            seen = counts.completed();
            flushOnce();
        } while (stalled && seen != counts.completed()); // loads after the store of stalled: pair with completed
    }

    private void flushOnce() throws VerbsException {
        if (closed || !begun || leaving) {
            return;
        }
        data.acknowledged(counts.completed());
        while (!resuming.isEmpty() && maySendMessage()) {
            resuming.pollFirst().postResume();
        }
        if (!suspended && resuming.isEmpty()) {
            flushLines();
        }
        if (receives.isGrantDue()) {
            postGrant();
        }
        if (data.isHeld() && counts.hasCompleted(counts.signalled())) {
            probe(); // else nothing tells when all that is under way has arrived
        }
        findStall();
    }

    private void flushLines() throws VerbsException {
        do {
            while (data.hasNext() && mayPostData()) {
                takeTurn(data.next());
            }
            while (!withMessages.isEmpty() && maySendMessage()) {
                takeMessageTurn(withMessages.pollFirst());
            }
        } while (data.hasNext() && mayPostData());
        while (!others.isEmpty() && maySendMessage()) {
            post(others.pollFirst());
        }
    }

    private void takeTurn(SendSide sender) throws VerbsException {
        long before = counts.posted();
        boolean more = sender.postData();
        sender.posted(counts.posted() - before);
        data.tookTurn(sender, more);
        if (more) {
            data.add(sender);
        } else if (sender.waitForMessage()) {
            withMessages.addLast(sender);
        }
    }

    private void takeMessageTurn(SendSide sender) throws VerbsException {
        long before = counts.posted();
        boolean more = sender.postMessage();
        sender.posted(counts.posted() - before);
        if (more) {
            withMessages.addLast(sender);
        }
        if (sender.waitForDataAfterMove()) {
            data.add(sender);
        }
    }

    private boolean mayPostData() {
        return begun && !closed && !suspended && resuming.isEmpty() && credit.left() > RESERVED_RECEIVES
                && counts.unacknowledged() + (immediate ? 1 : 2) <= QueueSizes.SENDS - RESERVED_SLOTS;
    }

    private boolean maySendMessage() {
        return credit.left() > 1 && counts.hasSlot();
    }

    private boolean isDue() {
        return !data.isEmpty() || !withMessages.isEmpty() || !others.isEmpty();
    }

    private void findStall() {
        stalled(!closed && (!begun || suspended || !resuming.isEmpty() || answersDue > 0 || isDue()
                || receives.isGrantDue()));
    }

    private void stalled(boolean now) {
        if (now != stalled) {
            stalled = now;
            if (now) {
                stalls.begin();
            } else {
                stalls.end();
            }
        }
    }

    /** Posts one write, with flags of the immediate, for the connection whose turn it is. */
    void postData(int number, int flags, long from, int length, int localKey, long to, int remoteKey,
            boolean signalNow) throws VerbsException {
        int immediateData = DataImmediate.of(number, receives.grantWithData()) | flags;
        int inline = length <= inlineBytes ? QueuePair.INLINE : 0;
        boolean signals = data.posts(length) | awaits(signalNow);
        if (immediate) {
            credit.use();
            queuePair.postWriteWithImmediate(nextId(), from, length, localKey, to, remoteKey,
                    inline | signal(signals), immediateData);
        } else {
            queuePair.postWrite(nextId(), from, length, localKey, to, remoteKey, inline);
            int at = message();
            postMessage(at, writer.data(at, immediateData, length), signals);
        }
    }

    /** Posts the state of a connection, which grants receives as well. */
    void postState(int number, int flags, long bytesRead, long bytesSent, boolean signalNow) throws VerbsException {
        int at = message();
        postMessage(at, writer.state(at, number, flags, bytesRead, receives.grantAll(), bytesSent), signalNow);
    }

    /** Posts an advert, which grants receives, and says what was read, as a state does. */
    void postAdvert(int number, long bytesRead, Advert advert) throws VerbsException {
        int at = message();
        postMessage(at, writer.advert(at, number, bytesRead, receives.grantAll(), advert), false);
    }

    /** Posts a withdrawal or its confirmation. */
    void postWithdrawal(int number, byte type) throws VerbsException {
        int at = message();
        postMessage(at, writer.withdrawal(at, number, type), false);
    }

    /** Asks for a larger ring of a connection. */
    void postMore(int number, int maxBytes) throws VerbsException {
        int at = message();
        postMessage(at, writer.more(at, number, maxBytes), false);
    }

    /** Offers a larger ring of a connection. */
    void postOffer(int number, RemoteRing ring) throws VerbsException {
        int at = message();
        postMessage(at, writer.offer(at, number, ring), false);
    }

    /** Says that a connection's bytes go to its larger ring, after those that were sent. */
    void postMove(int number, long bytesSent) throws VerbsException {
        int at = message();
        postMessage(at, writer.move(at, number, bytesSent), false);
    }

    /** Posts a message that is written seldom, such as one that opens a connection, or refuses to. */
    void post(OutgoingMessage message) throws VerbsException {
        int at = message();
        postMessage(at, writer.any(at, message), false);
    }

    /** The last one of the peer's receives is for this. */
    private void postGrant() throws VerbsException {
        if (credit.left() > 0 && counts.hasSlot()) {
            int at = message();
            postMessage(at, writer.grant(at, receives.grantAll()), false);
        }
    }

    /** A connection has posted memory that was lent to it, perhaps to the end of a part. */
    void finishLent(SendSide sender) {
        if (sender.lentPosted(counts.posted())) {
            lenders.addLast(sender);
        }
    }

    /** A connection has posted its last message. Returns the count after it. */
    long finish(SendSide sender) {
        finished.addLast(sender);
        return counts.posted();
    }

    /** The offset of the next message's buffer, which is free as its slot is. */
    private int message() {
        return (int) (counts.posted() % QueueSizes.SENDS) * MESSAGE_BYTES;
    }

    private void postMessage(int at, int length, boolean signalNow) throws VerbsException {
        credit.use();
        boolean signals = awaits(signalNow);
        long address = buffers.sentAddress(at / MESSAGE_BYTES);
        int inline = length <= inlineBytes ? QueuePair.INLINE : 0;
        queuePair.postSend(nextId(), address, length, buffers.localKey(), inline | signal(signals));
    }

    private long nextId() {
        return WorkRequestIds.send(tag, data.posted(counts.post()));
    }

    /** Takes note that somebody is to hear at once when what is about to be posted has completed, if so. */
    private boolean awaits(boolean now) {
        if (now && !awaited) {
            awaited = true; // before the count of those posted: pairs with completed
        }
        return now;
    }

    private int signal(boolean now) {
        if (now || counts.isSignalDue()) {
            counts.signal();
            return QueuePair.SIGNALED;
        }
        return 0;
    }
}
