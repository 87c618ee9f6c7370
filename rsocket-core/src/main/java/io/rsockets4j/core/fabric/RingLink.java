/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static java.nio.channels.SelectionKey.OP_READ;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * What links over rings share: how a thread spins and sleeps until its ring is ready, whom to wake, and how far this
 * side has ended. A fabric adds the rings, and its own ways to wake.
 */
public abstract class RingLink extends Link {
    /** In the state: reads find the end, though the program has not shut the input. */
    private static final int INPUT_ENDED = 128;
    /** Of the state: reads find the end, for one reason or the other. */
    protected static final int READS_OVER = INPUT_SHUT | INPUT_ENDED;
    /** In the state: the peer says what cannot be, and this side has given the connection up. */
    protected static final int BROKEN = 16;
    /** In the state: the peer has closed, and one send was taken and lost on it. Set by the sending direction. */
    protected static final int SEND_LOST = 32;
    /** In the state: a send has told of the peer's reset. As over TCP it is told once: reads find the end. */
    protected static final int RESET_TOLD = 64;

    private final LinkWaiters waiters;
    private final SpinHistory readSpins;
    private final SpinHistory writeSpins;
    private boolean sentSinceWait; // sending direction writes, waits read it as a hint

    /**
     * Creates a link between two addresses.
     *
     * @param local this end's address and port, never a wildcard
     * @param remote the peer's address and port
     * @param waiters this link's own, nobody yet
     * @param spinPolicy how long waits may spin
     */
    protected RingLink(InetSocketAddress local, InetSocketAddress remote, LinkWaiters waiters, SpinPolicy spinPolicy) {
        super(local, remote);
        this.waiters = waiters;
        readSpins = new SpinHistory(spinPolicy);
        writeSpins = new SpinHistory(spinPolicy);
    }

    // ---- state

    /**
     * Whether the state has one of some bits.
     *
     * @param bits for example {@link #OUTPUT_SHUT}
     * @return once true, always
     */
    protected final boolean is(int bits) {
        return (state() & bits) != 0;
    }

    /**
     * Sets bits of the state.
     *
     * @param bits for example {@link #OUTPUT_SHUT}
     */
    protected final void set(int bits) {
        set(bits, 0);
    }

    /**
     * The first send after the peer's close: it is lost, and the next one fails.
     *
     * @param src what would have been sent; all of it is taken, unless this throws
     * @param reset whether the peer has reset the connection
     * @return how many bytes are taken
     * @throws IOException that says so, if it is a reset
     */
    protected final int sendToClosed(ByteBuffer src, boolean reset) throws IOException {
        set(SEND_LOST);
        if (reset) {
            set(RESET_TOLD);
            throw new IOException("Connection reset by peer");
        }
        int lost = src.remaining();
        src.position(src.limit());
        return lost;
    }

    /**
     * Whether this side has closed.
     *
     * @return once true, always
     */
    protected final boolean isClosed() {
        return waiters.isClosed();
    }

    @Override
    public final long stalls() {
        return waiters.stalls();
    }

    @Override
    public final void observe(LinkObserver observer) {
        waiters.observe(observer);
    }

    // ---- readiness and waiting

    /**
     * Whether the peer's end is not there any more.
     *
     * @return once true, always
     */
    protected abstract boolean isPeerGone();

    /** Something was sent, so that an answer may come soon. By the sending direction. */
    protected final void sent() {
        sentSinceWait = true;
    }

    @Override
    public final boolean spin(int op) {
        boolean paced = op == OP_READ && !sentSinceWait;
        sentSinceWait = false;
        try {
            return (op == OP_READ ? readSpins : writeSpins).spin(this, op, paced) && !is(CLOSING);
        } catch (InternalError e) {
            faulted(e);
            return !is(CLOSING);
        }
    }

    @Override
    public final boolean sleep(int op, long deadlineNanos) {
        SpinHistory spins = op == OP_READ ? readSpins : writeSpins;
        try {
            if (!VirtualThreads.isVirtual() && yieldUntilReady(spins, op)) {
                return !is(CLOSING);
            }
            park(op, deadlineNanos);
        } catch (InternalError e) {
            faulted(e);
        }
        boolean ready = isKnownReady(op) && !is(CLOSING);
        if (ready) {
            spins.slept();
        }
        return ready;
    }

    /**
     * Deals with a fault in mapped memory: a peer that has taken its memory back has this connection reset.
     *
     * @param error what the fault was made
     * @throws InternalError the same, where the fault is not of this link's memory
     */
    protected void faulted(InternalError error) {
        throw error;
    }

    private boolean yieldUntilReady(SpinHistory spins, int op) {
        for (int i = 0; i < SpinHistory.YIELDS && spins.yieldTurn(i); i++) {
            if (isReady(op)) {
                spins.yieldPaid();
                return true;
            }
        }
        return false;
    }

    /**
     * Sleeps until woken, interrupted or the deadline; may return early.
     *
     * @param op {@code OP_READ} or {@code OP_WRITE}
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE} for none
     */
    protected void park(int op, long deadlineNanos) {
        park(op, deadlineNanos, 0);
    }

    /**
     * Parks the calling thread.
     *
     * @param op as above
     * @param deadlineNanos as above
     * @param bell that the peer is to ring, or 0 for the fabric's own thread
     */
    protected final void park(int op, long deadlineNanos, int bell) {
        ThreadWaiter waiter = waiters.threadWaiter(op);
        waiter.enter(bell);
        try {
            arm(op, waiter);
            if (!isKnownReady(op)) {
                waiter.sleep(deadlineNanos);
            }
        } finally {
            waiter.leave();
            disarm(waiter);
        }
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        waiters.arm(ops, waiter);
        VarHandle.fullFence(); // the waiter before the caller's look: pairs with the fence of whoever changes something
        if (is(CLOSING) || isPeerGone()) {
            waiter.wake(this);
        }
    }

    @Override
    public final void disarm(Waiter waiter) {
        waiters.remove(waiter);
    }

    @Override
    public final void wake() {
        VarHandle.fullFence(); // what has changed before the waiters: pairs with the fence in arm
        waiters.wake(this);
    }

    // ---- the end

    @Override
    public final int available() {
        return is(READS_OVER) || isClosed() ? 0 : unread();
    }

    /**
     * Bytes that have arrived and were not read.
     *
     * @return zero or more
     */
    protected abstract int unread();

    @Override
    public final boolean beginShutdownOutput() {
        boolean begins = set(OUTPUT_SHUT, CLOSING); // a close sends the end by itself, or a reset
        if (begins) {
            wake();
        }
        return begins;
    }

    @Override
    public final void shutdownOutput() {
        set(OUTPUT_SHUT);
        if (!isClosed()) {
            finish();
        }
    }

    /** Tells the peer that nothing more comes, after what was sent. The caller holds the sending direction's lock. */
    protected abstract void finish();

    @Override
    public final void shutdownInput() {
        if (set(INPUT_SHUT, CLOSING)) {
            wake();
        }
    }

    @Override
    public final void endInput() {
        set(INPUT_ENDED);
        wake();
    }

    @Override
    public final void beginClose() {
        set(CLOSING);
        wake();
    }

    @Override
    public final void close(boolean abort) {
        set(CLOSING);
        if (waiters.close()) {
            end(!is(OUTPUT_SHUT) && (abort || unread() > 0)); // as over TCP, no reset overtakes an end
            wake();
            release();
        }
    }

    /**
     * Tells the peer that this side has closed. Called once, by the closer, which holds both direction locks.
     *
     * @param reset whether the peer is to see a reset
     */
    protected abstract void end(boolean reset);

    /** Lets go of what the link uses, as the last step of its close. */
    protected abstract void release();
}
