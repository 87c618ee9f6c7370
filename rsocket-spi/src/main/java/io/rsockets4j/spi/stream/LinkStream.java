/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SourceMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connected link as a socket or a channel uses it: adds to {@link Link} a lock for each direction, waits, timeouts,
 * half-close and the deferred close. A door's subclass says what an interrupt does, and which exceptions the JDK
 * throws. Thread-safe.
 *
 * <p>Reads hold the read lock and writes the write lock, also while they wait, so that a blocking write is one piece.
 * {@link #close} holds neither: it marks the stream and wakes the waiters, and the last thread to let go of a
 * direction closes the link. So a close never waits, not even one that an interrupt makes in the middle of a read.
 */
public abstract class LinkStream {
    private final Link link;
    private final SimpleLock readLock = new SimpleLock();
    private final SimpleLock writeLock = new SimpleLock();
    private final ReentrantLock closeLock = new ReentrantLock();
    private boolean endRead; // guarded by readLock; a read of an input stream has said that this is the end
    private ByteBuffer readWrapper; // guarded by readLock
    private ByteBuffer writeWrapper; // guarded by writeLock
    private ByteBuffer byteRead; // guarded by readLock; made when a single byte is read
    private ByteBuffer byteWritten; // guarded by writeLock; the same for writes
    private volatile boolean offered; // a buffer of a pending read, perhaps; set under readLock
    private volatile boolean lent; // the buffer of a pending write, perhaps; set under writeLock
    private boolean abort; // guarded by closeLock
    private boolean linkClosed; // guarded by closeLock

    /**
     * Takes over a link.
     *
     * @param link established
     */
    protected LinkStream(Link link) {
        this.link = link;
    }

    // ---- what a door decides

    /**
     * Whether reads and writes wait.
     *
     * @return the same while a direction is locked
     */
    protected abstract boolean isBlocking();

    /**
     * A read or a write begins; no lock is held.
     *
     * @throws IOException where the thread's interrupt status forbids it
     */
    protected abstract void enter() throws IOException;

    /**
     * Waits by {@link Link#spin} and {@link Link#sleep}. May return early; must do so when the link is being closed.
     *
     * @param op {@code OP_READ} or {@code OP_WRITE}
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Deadline#NEVER}
     */
    protected abstract void await(int op, long deadlineNanos);

    /**
     * A wait has led to nothing yet: an interrupt may be the reason.
     *
     * @return whether there was one, whose status is cleared and has to be set again by {@link #endWait}
     * @throws InterruptedIOException if it ends the operation
     */
    protected abstract boolean takeInterrupt() throws InterruptedIOException;

    /**
     * The waits of an operation are over.
     *
     * @param done whether it has moved bytes
     * @param interrupted whether {@link #takeInterrupt} has cleared the interrupt status
     * @throws IOException if nothing is done, and the stream was closed meanwhile
     */
    protected abstract void endWait(boolean done, boolean interrupted) throws IOException;

    /**
     * Whether reads say again what one has said: the end, by an input stream, also after a close; a reset also after
     * the input was shut.
     *
     * @return as the JDK does
     */
    protected abstract boolean repeatsEnd();

    /**
     * How the JDK says that the stream is closed.
     *
     * @return to be thrown
     */
    protected abstract IOException closed();

    /**
     * How the JDK says that the output is shut.
     *
     * @return to be thrown by a write
     */
    protected abstract IOException outputShut();

    /**
     * The same to the writer of an output stream.
     *
     * @return to be thrown
     */
    protected IOException streamShut() {
        return outputShut();
    }

    /**
     * How the JDK says that a write has failed.
     *
     * @param cause from the link
     * @return to be thrown
     */
    protected abstract IOException writeFailed(IOException cause);

    /**
     * Closes the link; both directions are locked.
     *
     * @param resets whether the peer shall read a reset, as SO_LINGER 0 asks for
     */
    protected void closeLink(boolean resets) {
        link.close(resets);
    }

    // ---- data

    /**
     * The link, for readiness, addresses and options. Data goes through this stream alone.
     *
     * @return the same each time
     */
    public final Link link() {
        return link;
    }

    /**
     * Reads what is there; in blocking mode waits for the first byte.
     *
     * @param dst its position advances by the result
     * @return bytes, {@link Link#EOF}, or 0 in non-blocking mode and for a full buffer
     * @throws IOException as the door's JDK throws it
     */
    public final int read(ByteBuffer dst) throws IOException {
        enter();
        readLock.lock();
        try {
            return readLocked(dst, Deadline.NEVER);
        } finally {
            unlock(readLock);
        }
    }

    /**
     * Reads one byte, as {@link java.io.InputStream#read()}.
     *
     * @param timeoutMillis how long to wait, 0 for ever
     * @return the byte or {@link Link#EOF}
     * @throws SocketTimeoutException when time is over
     * @throws IOException as the door's JDK throws it
     */
    public final int read(int timeoutMillis) throws IOException {
        enter();
        readLock.lock();
        try {
            byteRead = byteRead == null ? ByteBuffer.allocate(1) : byteRead.clear();
            return readInTime(byteRead, timeoutMillis) > 0 ? byteRead.get(0) & 0xff : Link.EOF;
        } finally {
            unlock(readLock);
        }
    }

    /**
     * Reads at least one byte, as {@link java.io.InputStream#read(byte[], int, int)}. The same array comes again and
     * again, so its wrapper is kept.
     *
     * @param dst where to
     * @param offset index of the first byte
     * @param length how many bytes at most, at least one
     * @param timeoutMillis how long to wait, 0 for ever
     * @return bytes or {@link Link#EOF}
     * @throws SocketTimeoutException when time is over
     * @throws IOException as the door's JDK throws it
     */
    public final int read(byte[] dst, int offset, int length, int timeoutMillis) throws IOException {
        enter();
        readLock.lock();
        try {
            readWrapper = wrap(dst, readWrapper, offset, length);
            return readInTime(readWrapper, timeoutMillis);
        } finally {
            unlock(readLock);
        }
    }

    private int readInTime(ByteBuffer dst, int timeoutMillis) throws IOException {
        checkBlocking();
        int n = readLocked(dst, Deadline.after(timeoutMillis));
        if (n == 0) {
            throw new SocketTimeoutException("Read timed out");
        }
        if (n < 0) {
            endRead = true;
        }
        return n;
    }

    private int readLocked(ByteBuffer dst, long deadlineNanos) throws IOException {
        if (mayNotRead()) {
            link.takeBack();
            return Link.EOF;
        }
        int n = receive(dst);
        return n != 0 ? n : awaitRead(dst, deadlineNanos);
    }

    /**
     * Reads into several buffers, in order.
     *
     * @param dsts buffers
     * @param offset index of the first one
     * @param length how many
     * @return as {@link #read(ByteBuffer)}
     * @throws IOException as the door's JDK throws it
     */
    public final long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        enter();
        readLock.lock();
        try {
            if (mayNotRead()) {
                return Link.EOF;
            }
            int first = BufferArrays.firstWithRoom(dsts, offset, length);
            if (first < 0) {
                return 0;
            }
            int n = receive(dsts[first]);
            if (n == 0) {
                n = awaitRead(dsts[first], Deadline.NEVER);
            }
            return n <= 0 ? n : n + receiveMore(dsts, first, offset + length);
        } finally {
            unlock(readLock);
        }
    }

    /**
     * Lets the peer write straight into a buffer, of which a read in non-blocking mode has found nothing. It belongs to
     * the link until a read of it brings what it waits for, or {@link #takeBack}.
     *
     * @param dst the buffer, behind those that are offered
     * @param waitAll whether it waits until it is full
     * @return whether it is offered, perhaps since an earlier call
     */
    public final boolean offer(ByteBuffer dst, boolean waitAll) {
        if (!isLarge(dst)) {
            return false;
        }
        readLock.lock();
        try {
            if ((link.state() & (Link.CLOSING | Link.INPUT_SHUT | Link.READ_FAILED)) != 0) {
                return false;
            }
            offered = true;
            return link.offer(dst, waitAll);
        } finally {
            unlock(readLock);
        }
    }

    /** Nothing is read any more: ends what {@link #offer} began. Then no byte lands in that buffer. */
    public final void takeBack() {
        if (offered) {
            link.endInput(); // whoever waits to read lets go of the lock
            readLock.lock();
            try {
                link.takeBack();
            } finally {
                unlock(readLock);
            }
        }
    }

    /**
     * Waits, in either mode, until a read would not come back with nothing. Returns early when interrupted, and for no
     * reason.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Deadline#NEVER}
     */
    public final void awaitReadable(long deadlineNanos) {
        readLock.lock();
        try {
            if ((link.state() & (Link.CLOSING | Link.INPUT_SHUT)) == 0 && !link.spin(SelectionKey.OP_READ)) {
                new InterruptibleSleep(link).sleep(SelectionKey.OP_READ, deadlineNanos);
            }
        } finally {
            unlock(readLock);
        }
    }

    /**
     * Writes; in blocking mode waits until all is written.
     *
     * @param src its position advances by the result
     * @return bytes
     * @throws IOException as the door's JDK throws it
     */
    public final int write(ByteBuffer src) throws IOException {
        enter();
        writeLock.lock();
        try {
            return writeLocked(src);
        } finally {
            unlock(writeLock);
        }
    }

    /**
     * Writes everything, as {@link java.io.OutputStream#write(byte[], int, int)}.
     *
     * @param src where from
     * @param offset index of the first byte
     * @param length how many bytes, at least one
     * @throws IOException as the door's JDK throws it; then some may have been written
     */
    public final void write(byte[] src, int offset, int length) throws IOException {
        enter();
        writeLock.lock();
        try {
            writeWrapper = wrap(src, writeWrapper, offset, length);
            writeAll(writeWrapper);
        } finally {
            unlock(writeLock);
        }
    }

    /**
     * Writes one byte, as {@link java.io.OutputStream#write(int)}.
     *
     * @param value the byte
     * @throws IOException as the door's JDK throws it
     */
    public final void write(int value) throws IOException {
        enter();
        writeLock.lock();
        try {
            byteWritten = byteWritten == null ? ByteBuffer.allocate(1) : byteWritten.clear();
            writeAll(byteWritten.put(0, (byte) value));
        } finally {
            unlock(writeLock);
        }
    }

    private void writeAll(ByteBuffer src) throws IOException {
        checkBlocking();
        if (isOutputShut() && !isClosing()) {
            throw streamShut();
        }
        do {
            writeLocked(src);
        } while (src.hasRemaining());
    }

    /**
     * Sends straight from a buffer, of which a write in non-blocking mode is to follow. It belongs to the link until
     * that write, or one after it, moves bytes, or {@link #reclaim}.
     *
     * @param src the buffer, behind those that are lent, all of which are under way
     * @param of see {@link Link#lend}
     * @return whether all of it is under way, perhaps since an earlier call
     */
    public final boolean lend(ByteBuffer src, SourceMemory.Part of) {
        if (!isLarge(src)) {
            return false;
        }
        writeLock.lock();
        try {
            if ((link.state() & (Link.CLOSING | Link.OUTPUT_SHUT | Link.READ_FAILED)) != 0) {
                return false;
            }
            lent = true;
            return link.lend(src, of);
        } finally {
            unlock(writeLock);
        }
    }

    /** Nothing is written any more: ends what {@link #lend} began. Then no byte is read from that buffer. */
    public final void reclaim() {
        if (lent) {
            writeLock.lock();
            try {
                link.reclaim();
            } finally {
                unlock(writeLock);
            }
        }
    }

    /**
     * Sends an urgent byte, waiting for credit in blocking mode.
     *
     * @param value the byte
     * @return false in non-blocking mode without credit
     * @throws IOException as the door's JDK throws it
     */
    public final boolean writeUrgent(byte value) throws IOException {
        enter();
        writeLock.lock();
        try {
            refuseWrite(link.state(), true);
            ByteBuffer src = ByteBuffer.wrap(new byte[] {value});
            return send(src, true) > 0 || isBlocking() && awaitWrite(src, 0, true) > 0;
        } finally {
            unlock(writeLock);
        }
    }

    private int writeLocked(ByteBuffer src) throws IOException {
        int now = link.state();
        if (now != 0) {
            refuseWrite(now, src.hasRemaining());
        }
        if (isLarge(src) && isBlocking()) { // the size first: the mode lies further off
            link.lend(src, null);
        }
        int n = send(src, false);
        return src.hasRemaining() && isBlocking() ? (int) awaitWrite(src, n, false) : n;
    }

    /**
     * Writes several buffers, in order; in blocking mode waits until all is written.
     *
     * @param srcs buffers
     * @param offset index of the first one
     * @param length how many
     * @return bytes
     * @throws IOException as the door's JDK throws it
     */
    public final long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        enter();
        writeLock.lock();
        try {
            int now = link.state();
            if (now != 0) {
                refuseWrite(now, BufferArrays.hasRemaining(srcs, offset, length));
            }
            long total = 0;
            for (int i = offset; i < offset + length; i++) {
                total += sendAfter(total, srcs[i]);
                if (srcs[i].hasRemaining()) {
                    if (!isBlocking()) {
                        return total;
                    }
                    total = awaitWrite(srcs[i], total, false);
                    if (srcs[i].hasRemaining()) {
                        return total;
                    }
                }
            }
            return total;
        } finally {
            unlock(writeLock);
        }
    }

    /**
     * Bytes that a read would deliver now.
     *
     * @return zero or more; 0 once the input has ended here
     * @throws IOException if the stream is closed
     */
    public final int available() throws IOException {
        int now = link.state();
        if ((now & Link.CLOSING) != 0) {
            throw closed();
        }
        return (now & (Link.INPUT_SHUT | Link.READ_FAILED)) != 0 ? 0 : link.available();
    }

    /**
     * Runs something while no data moves and no one waits for any.
     *
     * @param action must not block
     */
    public final void quiesce(Runnable action) {
        readLock.lock();
        writeLock.lock();
        try {
            action.run();
        } finally {
            writeLock.unlock();
            unlock(readLock);
        }
    }

    // ---- the end

    /** Ends the input: reads answer {@link Link#EOF}, also one that waits. */
    public final void shutdownInput() {
        link.shutdownInput();
    }

    /** Ends the output, once a writer that waits has let go of it, which it does at once. */
    public final void shutdownOutput() {
        if (link.beginShutdownOutput()) { // a writer that waits lets go of the lock
            writeLock.lock();
            try {
                if (!isClosing()) {
                    link.shutdownOutput();
                }
            } finally {
                unlock(writeLock);
            }
        }
    }

    /**
     * Whether the input was shut here.
     *
     * @return true after {@link #shutdownInput}
     */
    public final boolean isInputShut() {
        return (link.state() & Link.INPUT_SHUT) != 0;
    }

    /**
     * Whether the output was shut here.
     *
     * @return true after {@link #shutdownOutput}
     */
    public final boolean isOutputShut() {
        return (link.state() & Link.OUTPUT_SHUT) != 0;
    }

    /**
     * Whether {@link #close} was called.
     *
     * @return once true, always
     */
    public final boolean isClosing() {
        return (link.state() & Link.CLOSING) != 0;
    }

    /**
     * Closes. Never waits: the link may be closed by another thread, which is in a data method and leaves it at once.
     *
     * @param resets whether the peer shall read a reset, as SO_LINGER 0 asks for
     */
    public final void close(boolean resets) {
        closeLock.lock();
        try {
            abort = resets; // before the link says that it closes: pairs with unlock
        } finally {
            closeLock.unlock();
        }
        link.beginClose();
        finishClose();
    }

    private void unlock(SimpleLock lock) {
        lock.unlock();
        if (isClosing()) { // volatile load after the volatile store in unlock: pairs with close
            finishClose();
        }
    }

    /** Closes the link unless someone holds a direction: they come here when they let go. */
    private void finishClose() {
        closeLock.lock();
        try {
            if (!linkClosed && readLock.tryLock()) {
                try {
                    if (writeLock.tryLock()) {
                        try {
                            linkClosed = true;
                            closeLink(abort);
                        } finally {
                            writeLock.unlock();
                        }
                    }
                } finally {
                    readLock.unlock();
                }
            }
        } finally {
            closeLock.unlock();
        }
    }

    // ---- inner parts

    private static ByteBuffer wrap(byte[] array, ByteBuffer last, int offset, int length) {
        ByteBuffer wrapped = last != null && last.array() == array ? last : ByteBuffer.wrap(array);
        return wrapped.limit(offset + length).position(offset);
    }

    /** Streams are for blocking mode, which lasts while a direction is locked. */
    private void checkBlocking() throws IOException {
        if (!isBlocking()) {
            if (isClosing()) {
                throw closed();
            }
            throw new IllegalBlockingModeException();
        }
    }

    private boolean mayNotRead() throws IOException {
        int now = link.state();
        if (now == 0) {
            return false;
        }
        if ((now & Link.CLOSING) != 0) {
            if (endRead && repeatsEnd()) {
                return true;
            }
            throw closed();
        }
        boolean shut = (now & Link.INPUT_SHUT) != 0;
        if ((now & Link.READ_FAILED) != 0 && (!shut || repeatsEnd())) {
            throw new SocketException("Connection reset");
        }
        return shut;
    }

    private void refuseWrite(int now, boolean any) throws IOException {
        if ((now & Link.CLOSING) != 0) {
            throw closed();
        }
        if ((now & Link.OUTPUT_SHUT) != 0) {
            throw outputShut();
        }
        if ((now & Link.READ_FAILED) != 0 && any) { // nothing can always be written
            throw writeFailed(new IOException("Broken pipe"));
        }
    }

    /** Waits for the first bytes. The caller holds the read lock. */
    private int awaitRead(ByteBuffer dst, long deadlineNanos) throws IOException {
        if (!dst.hasRemaining() || !isBlocking()) {
            return 0;
        }
        int n = 0;
        boolean inTime = true;
        boolean interrupted = false;
        try {
            while (n == 0 && inTime && (link.state() & (Link.CLOSING | Link.INPUT_SHUT)) == 0) {
                if (isLarge(dst)) {
                    link.offer(dst, false);
                }
                await(SelectionKey.OP_READ, deadlineNanos);
                n = receive(dst);
                interrupted |= n == 0 && takeInterrupt();
                inTime = !Deadline.isPast(deadlineNanos); // whatever the peer made the wait think
            }
        } finally {
            if (n == 0) {
                link.takeBack(); // after an end of this side's, after which nothing is read
            }
            endWait(n > 0, interrupted);
        }
        return n <= 0 && isInputShut() ? Link.EOF : n;
    }

    /** Waits until all is written, or this side closes. The caller holds the write lock. */
    private long awaitWrite(ByteBuffer src, long before, boolean urgent) throws IOException {
        long total = before;
        boolean interrupted = false;
        try {
            while (src.hasRemaining() && (link.state() & (Link.CLOSING | Link.OUTPUT_SHUT)) == 0) {
                await(SelectionKey.OP_WRITE, Deadline.NEVER);
                if (isLarge(src)) {
                    link.lend(src, null);
                }
                int n = sendUnlessShut(src, urgent);
                total += n;
                interrupted |= n == 0 && takeInterrupt();
            }
        } finally {
            total += reclaimFrom(src);
            endWait(total > 0, interrupted);
        }
        if (total == 0) {
            throw outputShut(); // endWait has dealt with a close
        }
        return total;
    }

    /** Whether a buffer is worth it to be offered or lent. */
    private boolean isLarge(ByteBuffer buffer) {
        return buffer.remaining() >= link.directMinBytes();
    }

    private int reclaimFrom(ByteBuffer src) {
        int sent = link.reclaim();
        src.position(src.position() + sent);
        return sent;
    }

    private int sendUnlessShut(ByteBuffer src, boolean urgent) throws IOException {
        try {
            return send(src, urgent);
        } catch (IOException e) {
            if ((link.state() & (Link.CLOSING | Link.OUTPUT_SHUT)) != 0) {
                return 0;
            }
            throw e;
        }
    }

    /** One write to a peer that has closed is lost as a whole: what comes after its first bytes fares as they did. */
    private int sendAfter(long before, ByteBuffer src) throws IOException {
        try {
            return before > 0 ? sendUnlessShut(src, false) : send(src, false);
        } catch (IOException e) {
            if (before == 0) {
                throw e;
            }
            int lost = src.remaining();
            src.position(src.limit());
            return lost;
        }
    }

    private int send(ByteBuffer src, boolean urgent) throws IOException {
        if (!src.hasRemaining()) {
            return 0; // the link would take it for the write that is lost after the peer's close, or refuse it
        }
        try {
            return urgent ? link.sendUrgent(src) : link.send(src);
        } catch (IOException e) {
            throw writeFailed(e);
        }
    }

    private int receive(ByteBuffer dst) throws IOException {
        if (dst.isReadOnly()) {
            throw BufferArrays.readOnly();
        }
        try {
            return link.receive(dst);
        } catch (IOException e) {
            link.readFailed();
            throw SocketExceptions.of(e);
        }
    }

    /** After a read that has brought bytes: what is wrong behind those is the next read's, which is told again. */
    private int receiveMore(ByteBuffer[] dsts, int first, int end) {
        int total = 0;
        try {
            for (int i = first; i < end; i++) {
                total += dsts[i].hasRemaining() ? Math.max(link.receive(dsts[i]), 0) : 0;
                if (dsts[i].hasRemaining()) {
                    break;
                }
            }
        } catch (IOException e) {
            return total;
        }
        return total;
    }
}
