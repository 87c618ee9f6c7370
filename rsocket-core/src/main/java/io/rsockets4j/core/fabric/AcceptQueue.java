/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.net.InetAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;

/**
 * The fabrics' side of a listening socket: established links that wait to be accepted, from all fabrics, in order of
 * arrival. Its owner also holds a real TCP listener on the same address and port, and merges the two. Thread-safe; no
 * method blocks, and nothing waits under its lock.
 */
public final class AcceptQueue implements AutoCloseable {
    private static final int PAUSES_PER_POLL = 4;

    /** A peer asks for room and connects a moment later, as others do: what comes then is taken, up to this. */
    private static final int MIN_CAPACITY = 4096;
    private static final long TCP_LATELY_NANOS = 1_000_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Link> pending = new ArrayDeque<>(); // guarded by lock
    private final List<ListenOffer> offers = new CopyOnWriteArrayList<>();
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();
    private final int backlog;
    private final BiPredicate<String, InetAddress> admission; // path, client
    private final SpinHistory spins; // of whoever accepts: one thread at a time, or else a hint
    private volatile TcpWatch tcpWatch; // set once, under lock
    private volatile boolean tcpClient; // the watch has told of one
    private volatile long tcpClientNanos = System.nanoTime() - TCP_LATELY_NANOS; // when
    private boolean full; // guarded by lock: offers know that there is no room
    private volatile int size; // written under lock, read by spinning acceptors without it
    private volatile boolean closed; // written under lock
    private boolean withdrawn; // guarded by lock

    /**
     * Creates an empty queue.
     *
     * @param backlog how many links may be pending before further connects are to wait, at least 1; as with TCP on
     *     Linux one more may
     * @param spinPolicy how long {@link #spin} may take
     */
    public AcceptQueue(int backlog, SpinPolicy spinPolicy) {
        this(backlog, spinPolicy, (path, client) -> true);
    }

    /**
     * Creates an empty queue that does not take every link.
     *
     * @param backlog as above
     * @param spinPolicy how long {@link #spin} may take
     * @param admission says which paths may be accepted from whom; called by threads of a fabric, must not block
     */
    public AcceptQueue(int backlog, SpinPolicy spinPolicy, BiPredicate<String, InetAddress> admission) {
        this.backlog = backlog;
        this.admission = admission;
        spins = new SpinHistory(spinPolicy);
    }

    /**
     * Adds a fabric's offer, to be withdrawn when this queue closes.
     *
     * @param offer what {@link Fabric#listen} returned
     */
    public void add(ListenOffer offer) {
        offers.add(offer);
        chooseBell();
        lock.lock();
        try {
            offer.full(full);
        } finally {
            lock.unlock();
        }
    }

    /** Peers ring whoever waits, if that is one alone. */
    private void chooseBell() {
        lock.lock();
        try {
            int bell = waiters.size() == 1 ? waiters.get(0).bell() : 0;
            for (ListenOffer offer : offers) {
                offer.ringBell(bell);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether any fabric serves this listener; if not, a door need not look here at all.
     *
     * @return true with at least one offer
     */
    public boolean isOffered() {
        return !offers.isEmpty();
    }

    /**
     * Withdraws all offers, so that clients come by TCP only. What has come before is reset, as who looks at TCP alone
     * would never accept it.
     */
    public void withdraw() {
        List<Link> dropped;
        lock.lock();
        try {
            withdrawn = true;
            dropped = List.copyOf(pending);
            pending.clear();
            countPending();
        } finally {
            lock.unlock();
        }
        for (ListenOffer offer : offers) {
            offers.remove(offer);
            offer.close();
        }
        for (Link link : dropped) {
            link.close(true);
        }
    }

    /**
     * Whether a client may come by a path. A fabric that can still refuse a connect should ask before it answers;
     * {@link #offer} asks in any case.
     *
     * @param path for example {@code rdma}
     * @param client the client's address
     * @return false when a rule is against it
     */
    public boolean admits(String path, InetAddress client) {
        return admission.test(path, client);
    }

    /**
     * Appends a link and wakes the waiters. Called by threads of a fabric.
     *
     * @param link established
     * @return false when this queue is closed or withdrawn, or may not take the link, or too many came for its room:
     *     the fabric resets it
     */
    public boolean offer(Link link) {
        if (!admits(link.path(), link.remoteAddress().getAddress())) {
            return false;
        }
        lock.lock();
        try {
            if (closed || withdrawn || pending.size() >= Math.max(MIN_CAPACITY, backlog)) {
                return false;
            }
            pending.add(link);
            countPending();
        } finally {
            lock.unlock();
        }
        for (Waiter waiter : waiters) {
            waiter.wake(this);
        }
        return true;
    }

    /**
     * Takes the oldest pending link, of those too that peers take for connected and no thread has made here yet.
     *
     * @return an established link, or null when none is pending
     */
    public Link poll() {
        if (!pollPending()) {
            return null;
        }
        lock.lock();
        try {
            Link link = pending.poll();
            countPending();
            return link;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock, so that offers hear of it in order. */
    private void countPending() {
        int now = pending.size();
        size = now;
        if (full != now > backlog && !closed) {
            full = !full;
            for (ListenOffer offer : offers) {
                offer.full(full);
            }
        }
    }

    /**
     * Whether a link is pending, as far as is known: see {@link #pollPending}.
     *
     * @return true when {@link #poll} would return a link now
     */
    public boolean isPending() {
        return size > 0;
    }

    /**
     * Makes the links that peers take for connected, so that they are pending before some other thread gets to it, as a
     * kernel's are. Costs a glance at each process that is connected to this one.
     *
     * @return {@link #isPending()} at the end
     */
    public boolean pollPending() {
        if (size == 0) {
            serve(false);
        }
        return size > 0;
    }

    /**
     * The calling thread is about to sleep, as one of the waiters: makes links as {@link #pollPending}, and sees that
     * those which come later are made.
     *
     * @return {@link #isPending()} at the end
     */
    public boolean arm() {
        if (size == 0) {
            serve(true);
        }
        return size > 0;
    }

    /**
     * Waits a moment for a pending link, as long as the spin policy finds worthwhile.
     *
     * @return {@link #isPending()} at the end
     */
    public boolean spin() {
        if (!isOffered()) {
            return isPending();
        }
        try {
            return spinOffered();
        } catch (InternalError e) { // of a fault in mapped memory, perhaps
            if (!mend()) {
                throw e;
            }
            return isPending();
        }
    }

    private boolean spinOffered() {
        long budget = spins.begin();
        if (budget <= 0) {
            return isPending();
        }
        for (ListenOffer offer : offers) {
            offer.attend();
        }
        try {
            poll(budget);
        } finally {
            for (ListenOffer offer : offers) {
                offer.leave();
            }
            spins.end(size > 0);
        }
        return size > 0;
    }

    private void poll(long budgetNanos) {
        while (size == 0 && !closed && spins.mayGoOn(budgetNanos)) {
            serve(false);
            for (int i = 0; i < PAUSES_PER_POLL && size == 0; i++) {
                Thread.onSpinWait();
            }
        }
    }

    private void serve(boolean arms) {
        try {
            for (ListenOffer offer : offers) {
                if (arms) {
                    offer.arm();
                } else {
                    offer.serve();
                }
            }
        } catch (InternalError e) { // of a fault in mapped memory, perhaps
            if (!mend()) {
                throw e;
            }
        }
    }

    /**
     * Looks whether a peer has taken back memory that it shares: see {@link RungLinks#mend}. The error of such a fault
     * may come late, so that it is not known whose memory it was.
     *
     * @return whether one has
     */
    public boolean mend() {
        boolean mended = false;
        for (ListenOffer offer : offers) {
            mended |= offer.mend();
        }
        return mended;
    }

    /** Tells the spin policy that a link came while the accepting thread slept, after {@link #spin}. */
    public void slept() {
        spins.slept();
    }

    /**
     * Adds someone to wake whenever a link becomes pending, until removed. Look at {@link #isPending} afterwards.
     *
     * @param waiter whom to wake
     */
    public void addWaiter(Waiter waiter) {
        waiters.add(waiter);
        chooseBell();
    }

    /**
     * Removes a waiter; unknown ones are ignored.
     *
     * @param waiter whom not to wake any more
     */
    public void removeWaiter(Waiter waiter) {
        waiters.remove(waiter);
        chooseBell();
    }

    /**
     * Whether {@link #close} was called.
     *
     * @return once true, always
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Has TCP clients watched for, so that whoever accepts need not sleep where TCP is seen.
     *
     * @param tcp the listener's TCP side, bound and non-blocking; always the same
     * @return false where nobody can, or TCP clients came lately: sleep where TCP is seen
     */
    public boolean watchTcp(ServerSocketChannel tcp) {
        if (tcpClient || System.nanoTime() - tcpClientNanos < TCP_LATELY_NANOS) {
            return false;
        }
        TcpWatch watch = tcpWatch;
        if (watch == null) {
            watch = beginToWatch(tcp);
        }
        return watch != null && watch.expect();
    }

    private TcpWatch beginToWatch(ServerSocketChannel tcp) {
        lock.lock();
        try {
            for (ListenOffer offer : offers) {
                if (tcpWatch == null && !closed) {
                    tcpWatch = offer.watch(tcp, new TcpClientCame(this));
                }
            }
            return tcpWatch;
        } finally {
            lock.unlock();
        }
    }

    /** A class, as a lambda would cost a process at its first accept. */
    private record TcpClientCame(AcceptQueue queue) implements Runnable {
        @Override
        public void run() {
            queue.tcpClientCame();
        }
    }

    private void tcpClientCame() {
        tcpClientNanos = System.nanoTime();
        tcpClient = true; // volatile, before they are woken: whoever is about to sleep looks
        for (Waiter waiter : waiters) {
            waiter.wake(this);
        }
    }

    /**
     * Whether a watched TCP client has come that no thread looked for.
     *
     * @return true until {@link #takeTcpClient}
     */
    public boolean hasTcpClient() {
        return tcpClient;
    }

    /**
     * The calling thread looks for TCP clients next.
     *
     * @return what {@link #hasTcpClient} returned until now
     */
    public boolean takeTcpClient() {
        boolean came = tcpClient;
        if (came) {
            tcpClient = false;
        }
        return came;
    }

    /** Stops listening: later connects are refused, pending links are reset. Idempotent. */
    @Override
    public void close() {
        List<Link> dropped;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            dropped = List.copyOf(pending);
            pending.clear();
            size = 0;
        } finally {
            lock.unlock();
        }
        if (tcpWatch != null) {
            tcpWatch.close();
        }
        for (ListenOffer offer : offers) {
            offer.close();
        }
        for (Link link : dropped) {
            link.close(true);
        }
        for (Waiter waiter : waiters) {
            waiter.wake(this);
        }
    }
}
