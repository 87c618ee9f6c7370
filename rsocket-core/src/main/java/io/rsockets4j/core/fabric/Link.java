/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * One connected byte stream over a fabric: a ring with credits for each direction, and a way to wait.
 *
 * <p>Data methods never block. They belong to two independent directions: at most one thread at a time may be in
 * {@link #receive}, and at most one in {@link #send}, but the two run concurrently. The caller (a socket door) holds a
 * lock per direction; this class takes none. Every other method may be called by any thread.
 *
 * <p>Interest and readiness are the bits of {@link SelectionKey}: {@code OP_READ} (bytes, end of stream or an error
 * wait to be read) and {@code OP_WRITE} (enough credit to be worth a wake-up, or an error). A send may find credit
 * before that.
 *
 * <p>One word, the state, says how far this side has ended. Door and fabric both go by it, and neither keeps a copy.
 */
public abstract class Link {
    /** Returned by {@link #receive} when the peer has finished sending and every byte was delivered. */
    public static final int EOF = -1;

    /** In the state: this side is about to close. */
    public static final int CLOSING = 1;
    /** In the state: the program sends no more. What it sent before, and the end, may still have to leave. */
    public static final int OUTPUT_SHUT = 2;
    /** In the state: the program reads no more. */
    public static final int INPUT_SHUT = 4;
    /** In the state: a read has failed, and has said so. From then on everything fails. */
    public static final int READ_FAILED = 8;

    private static final AtomicIntegerFieldUpdater<Link> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Link.class, "state");

    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private volatile int state; // bits above, and a fabric's; only ever set

    /**
     * Creates a link between two addresses, as a program will see them.
     *
     * @param local this end's address and port, never a wildcard
     * @param remote the peer's address and port
     */
    protected Link(InetSocketAddress local, InetSocketAddress remote) {
        this.local = local;
        this.remote = remote;
    }

    /**
     * This end's address.
     *
     * @return address and port, never a wildcard
     */
    public final InetSocketAddress localAddress() {
        return local;
    }

    /**
     * The peer's address.
     *
     * @return address and port
     */
    public final InetSocketAddress remoteAddress() {
        return remote;
    }

    /**
     * How far this side has ended.
     *
     * @return {@link #CLOSING} and the other bits, and further ones of the fabric's; 0 at first. A bit stays set
     */
    public final int state() {
        return state;
    }

    /**
     * Sets bits of the state.
     *
     * @param bits for example {@link #OUTPUT_SHUT}
     * @param unless nothing is set if the state has one of these
     * @return whether one of the bits was not set before, and is now
     */
    protected final boolean set(int bits, int unless) {
        int before;
        do {
            before = state;
            if ((before & bits) == bits || (before & unless) != 0) {
                return false;
            }
        } while (!STATE.compareAndSet(this, before, before | bits));
        return true;
    }

    /**
     * The path that the bytes take, as in settings and reports.
     *
     * @return for example {@code shm}
     */
    public abstract String path();

    /**
     * Bytes that this side has sent, for reports: a little late, and still there after the close.
     *
     * @return since the connection began; 0 where a fabric does not count
     */
    public long bytesSent() {
        return 0;
    }

    /**
     * Bytes that this side has received, for reports: a little late, and still there after the close.
     *
     * @return since the connection began; 0 where a fabric does not count
     */
    public long bytesReceived() {
        return 0;
    }

    /**
     * Of {@link #bytesSent} those that went straight into the buffers of the peer's reads, for reports.
     *
     * @return since the connection began
     */
    public long directBytesSent() {
        return 0;
    }

    /**
     * Of {@link #bytesReceived} those that came straight into the buffers of reads, for reports.
     *
     * @return since the connection began
     */
    public long directBytesReceived() {
        return 0;
    }

    /**
     * What this end sent through a network for this connection, for reports: writes of data, and messages of the
     * fabric's own.
     *
     * @return since the connection began; 0 where there is no network, or the kernel sends
     */
    public long messagesSent() {
        return 0;
    }

    /**
     * Bytes that may be sent without further news from the peer, for reports: as last seen, so often too few.
     *
     * @return zero or more
     */
    public long creditBytes() {
        return 0;
    }

    /**
     * How often a thread or a selector had to ask to be woken when it can send, for reports.
     *
     * @return since the connection began
     */
    public long stalls() {
        return 0;
    }

    /**
     * Tells someone of stalls and wake-ups from now on; fabrics that have neither ignore it.
     *
     * @param observer replaces the one before
     */
    public void observe(LinkObserver observer) { }

    /**
     * Moves arrived bytes into a buffer and returns their credit to the peer, waking it if it waits for credit.
     *
     * @param dst heap or direct, its position advances by the result
     * @return the bytes moved; 0 when none have arrived or {@code dst} is full; {@link #EOF} at the end of the stream
     * @throws IOException "Connection reset" when the peer aborted, after the bytes that arrived before
     */
    public abstract int receive(ByteBuffer dst) throws IOException;

    /**
     * Moves as many bytes as there is credit for to the peer, waking it if it waits for them.
     *
     * @param src heap or direct, possibly read-only, its position advances by the result
     * @return the bytes moved; 0 without credit or when {@code src} is empty
     * @throws IOException "Broken pipe" when the peer has closed or this side has shut down its output
     */
    public abstract int send(ByteBuffer src) throws IOException;

    /**
     * The program moves buffers of extended sockets from now on, several at a time. Before the first of them.
     */
    public void useRegisteredMemory() {
        // nothing goes straight here
    }

    /**
     * From which size on a direct buffer is worth an {@link #offer} or a {@link #lend}.
     *
     * @return bytes; {@link Integer#MAX_VALUE} where none is
     */
    public int directMinBytes() {
        return Integer.MAX_VALUE;
    }

    /**
     * Lets the peer write straight into a buffer that waits for bytes, where a fabric can do so and it pays. Until a
     * {@link #receive}, of the same buffer, brings what it waits for, the end or an exception, or {@link #takeBack}
     * ends that, the buffer belongs to the link. Several buffers are filled, and received, in the order in which they
     * are offered. By the receiving direction, after a {@code receive} that brought nothing.
     *
     * @param dst the buffer, of {@link #directMinBytes} at least; nothing happens if it is not direct
     * @param waitAll whether it waits until it is full, not for one byte only
     * @return whether the peer may write there, perhaps since an earlier call
     */
    public boolean offer(ByteBuffer dst, boolean waitAll) {
        return false;
    }

    /**
     * Ends what {@link #offer} began: when this returns, no byte lands in a buffer any more. May wait for the peer, for
     * a quarter of a second at most. Idempotent. By the receiving direction, or the closer.
     *
     * @return the bytes that are in the oldest buffer, whose position has not moved, and which count as received
     */
    public int takeBack() {
        return 0;
    }

    /**
     * Sends the next bytes from a buffer itself, without a copy, where the peer's read waits with a buffer for them and
     * a fabric can do so. Until a {@link #send}, of the same buffer, moves bytes or throws, or {@link #reclaim} ends
     * that, the buffer belongs to the link. Several buffers are sent in the order in which they are lent, each once all
     * of those before is under way. By the sending direction.
     *
     * @param src the buffer, of {@link #directMinBytes} at least; nothing happens if it is not direct
     * @param of what memory it is a part of that the program keeps, null if it may free it afterwards
     * @return whether all of it is under way, perhaps since an earlier call
     */
    public boolean lend(ByteBuffer src, SourceMemory.Part of) {
        return false;
    }

    /**
     * Ends what {@link #lend} began: when this returns, no byte is read from a buffer any more. May wait for the peer's
     * device, for a quarter of a second at most. Idempotent. By the sending direction, or the closer.
     *
     * @return the bytes of the oldest buffer that count as sent, and by which its position has not moved
     */
    public int reclaim() {
        return 0;
    }

    /**
     * Sends one byte that the peer drops unless it has asked for {@link #urgentInline}. Where a fabric has no such
     * bytes, it is dropped here.
     *
     * @param src one byte remains; taken as by {@link #send(ByteBuffer)}
     * @return 1, or 0 without credit
     * @throws IOException as {@link #send(ByteBuffer)}
     */
    public int sendUrgent(ByteBuffer src) throws IOException {
        ByteBuffer nothing = src.slice().limit(0);
        send(nothing);
        src.position(src.limit());
        return 1;
    }

    /**
     * Says whether bytes that the peer sends as urgent are to be delivered, in their place in the stream, as with
     * SO_OOBINLINE. At first they are dropped.
     *
     * @param on whether to deliver them
     */
    public void urgentInline(boolean on) { }

    /**
     * Whether one operation could be done now without waiting. Does not block. Over shared memory it loads words
     * of the rings; where a ring is to grow, pages are made. Over RDMA the completion queue is polled.
     *
     * @param op {@code OP_READ} or {@code OP_WRITE}
     * @return true also once closed on this side
     */
    public abstract boolean isReady(int op);

    /**
     * Whether one operation could be done now, as far as this side knows already: no completion queue is polled. For
     * one who looks at many links, and has called {@link #poll} once for all that share a queue.
     *
     * @param op {@code OP_READ} or {@code OP_WRITE}
     * @return true also once closed on this side
     */
    public abstract boolean isKnownReady(int op);

    /**
     * The completion queue that tells this link what has come.
     *
     * @return the same for all links that share it; null where a look at the link itself tells
     */
    public Object completions() {
        return null;
    }

    /** Takes what has come for this link, and for all others that have the same {@link #completions}. */
    public void poll() { }

    /**
     * Bytes that {@link #receive} would deliver now.
     *
     * @return zero or more
     */
    public abstract int available();

    /**
     * Waits: spins for an adaptive budget, then parks the calling thread. Allocates nothing.
     *
     * <p>Returns early, without a reason, when this side closes the link, shuts down that direction, or the thread is
     * interrupted: the caller looks at its own state and calls again. An interrupt status found set on entry ends the
     * wait at once; it is never cleared here.
     *
     * @param op {@code OP_READ} or {@code OP_WRITE}; the calling thread holds that direction's lock
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE} for none
     * @return whether the operation is ready; false on timeout or an early return
     */
    public final boolean await(int op, long deadlineNanos) {
        return spin(op) || sleep(op, deadlineNanos);
    }

    /**
     * First part of {@link #await}: spins as long as that may pay.
     *
     * @param op as for {@code await}
     * @return whether the operation is ready
     */
    public abstract boolean spin(int op);

    /**
     * Second part of {@link #await}: parks. An interrupt need not end it; where it shall, the caller has {@link
     * #beginClose} or {@link #wake} called.
     *
     * @param op as for {@code await}
     * @param deadlineNanos as for {@code await}
     * @return as for {@code await}
     */
    public abstract boolean sleep(int op, long deadlineNanos);

    /** Makes every thread that sleeps here, and every armed waiter, look again. Any thread. */
    public abstract void wake();

    /**
     * Asks that {@code waiter} be woken once when one of {@code ops} becomes ready. The caller must look at
     * {@link #isReady} once more after arming, before it sleeps. To be woken disarms; arming again is idempotent.
     *
     * @param ops a combination of {@code OP_READ} and {@code OP_WRITE}
     * @param waiter whom to wake, by a thread of the engine or by a peer directly
     */
    public abstract void arm(int ops, Waiter waiter);

    /**
     * Withdraws a waiter from both directions. A thread that was about to wake it may still do so.
     *
     * @param waiter the waiter that was armed
     */
    public abstract void disarm(Waiter waiter);

    /**
     * Asks to be told if the peer's host vanishes while neither side sends, as SO_KEEPALIVE does: the link then fails.
     * For links within one host, where the kernel tells anyway, this does nothing.
     *
     * @param on whether to ask
     */
    public void keepAlive(boolean on) { }

    /**
     * First step of {@link #shutdownOutput}, by any thread: wakes a thread that waits to send, and makes its further
     * waits return at once and its sends fail, so that the caller soon gets the direction's lock.
     *
     * @return false, and nothing has been done, if the output is shut already or this side is closing
     */
    public abstract boolean beginShutdownOutput();

    /**
     * Ends the sending direction: the peer reads what was sent, then end of stream. Idempotent. The caller holds the
     * sending direction's lock, so that no send publishes bytes behind the end.
     */
    public abstract void shutdownOutput();

    /** The program reads no more: as {@link #endInput}. Idempotent; does nothing once this side is closing. */
    public abstract void shutdownInput();

    /**
     * Ends the receiving direction, as nothing can be read any more, though the program has not said so: reads find the
     * end of the stream, and a thread that waits for bytes is woken. Idempotent.
     */
    public abstract void endInput();

    /** A read has failed, and says so now: from then on everything fails. By the receiving direction. */
    public final void readFailed() {
        set(READ_FAILED, 0);
    }

    /**
     * Wakes every thread that waits in {@link #await} and every armed waiter, and makes further waits return at once.
     * First step of a close: the closer then takes both direction locks and calls {@link #close}.
     */
    public abstract void beginClose();

    /**
     * Closes this end. Nothing that was sent is lost: the peer reads it, then end of stream; but where bytes from the
     * peer were left unread, or {@code abort} is set, it reads "Connection reset" as over TCP. Idempotent. The caller
     * holds both direction locks, so that no data method runs or will run.
     *
     * @param abort reset, as SO_LINGER 0 does
     */
    public abstract void close(boolean abort);
}
