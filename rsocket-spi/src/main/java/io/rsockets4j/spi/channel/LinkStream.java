/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.spi.lock.SimpleLock;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connected link as a channel uses it: adds to {@link Link} the locks, blocking, half-close and the JDK's
 * exceptions.
 *
 * <p>Reads hold the read lock and writes the write lock, also while they wait, so that a blocking write is one piece.
 * {@link #close} holds neither: it marks the stream, wakes the waiters, and whoever is the last to let go of a
 * direction closes the link. So a close never waits, not even one that an interrupt makes in the middle of a read.
 */
final class LinkStream {
    private static final int CLOSING = 1;
    private static final int INPUT_SHUT = 2;
    private static final int OUTPUT_SHUT = 4;
    private static final int RESET = 8; // a read has said so; from then on everything fails

    private final RSocketChannel owner;
    private final Link link;
    private final SimpleLock readLock = new SimpleLock();
    private final SimpleLock writeLock = new SimpleLock();
    private final ReentrantLock stateLock = new ReentrantLock();
    private ByteBuffer readWrapper; // guarded by readLock
    private ByteBuffer writeWrapper; // guarded by writeLock
    private volatile int state; // bits above, written under stateLock
    private boolean abort; // guarded by stateLock
    private boolean linkClosed; // guarded by stateLock

    LinkStream(RSocketChannel owner, Link link) {
        this.owner = owner;
        this.link = link;
    }

    Link link() {
        return link;
    }

    int read(ByteBuffer dst) throws IOException {
        checkInterrupt();
        readLock.lock();
        try {
            return readLocked(dst, Long.MAX_VALUE);
        } finally {
            unlock(readLock);
        }
    }

    /** For streams: the same array comes again and again, so its wrapper is kept. 0 when the deadline has passed. */
    int read(byte[] dst, int offset, int length, long deadlineNanos) throws IOException {
        checkInterrupt();
        readLock.lock();
        try {
            checkBlockingMode();
            ByteBuffer wrapped = wrap(dst, readWrapper, offset, length);
            readWrapper = wrapped;
            return readLocked(wrapped, deadlineNanos);
        } finally {
            unlock(readLock);
        }
    }

    private int readLocked(ByteBuffer dst, long deadlineNanos) throws IOException {
        if (mayNotRead()) {
            return Link.EOF;
        }
        int n = receive(dst);
        return n != 0 ? n : awaitRead(dst, deadlineNanos);
    }

    /** Waits, in either mode, until a read would not come back with nothing; may return early. */
    void awaitReadable(long deadlineNanos) {
        readLock.lock();
        try {
            if ((state & (CLOSING | INPUT_SHUT)) == 0 && !link.spin(SelectionKey.OP_READ)) {
                new InterruptibleSleep(link).sleep(SelectionKey.OP_READ, deadlineNanos);
            }
        } finally {
            unlock(readLock);
        }
    }

    long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        checkInterrupt();
        readLock.lock();
        try {
            if (mayNotRead()) {
                return Link.EOF;
            }
            int first = firstWithRoom(dsts, offset, length);
            if (first < 0) {
                return 0;
            }
            int n = receive(dsts[first]);
            if (n == 0) {
                n = awaitRead(dsts[first], Long.MAX_VALUE);
            }
            return n <= 0 ? n : n + receiveMore(dsts, first, offset + length);
        } finally {
            unlock(readLock);
        }
    }

    int write(ByteBuffer src) throws IOException {
        checkInterrupt();
        writeLock.lock();
        try {
            return writeLocked(src);
        } finally {
            unlock(writeLock);
        }
    }

    /** For streams: writes all, or throws. */
    void write(byte[] src, int offset, int length) throws IOException {
        checkInterrupt();
        writeLock.lock();
        try {
            checkBlockingMode();
            if (isOutputShut()) {
                throw new ClosedChannelException();
            }
            ByteBuffer wrapped = wrap(src, writeWrapper, offset, length);
            writeWrapper = wrapped;
            do {
                writeLocked(wrapped);
            } while (wrapped.hasRemaining());
        } finally {
            unlock(writeLock);
        }
    }

    /**
     * Sends an urgent byte, waiting for credit in blocking mode.
     *
     * @return false in non-blocking mode without credit
     */
    boolean writeUrgent(byte value) throws IOException {
        checkInterrupt();
        writeLock.lock();
        try {
            checkWritable();
            ByteBuffer src = ByteBuffer.wrap(new byte[] {value});
            int n = link.sendUrgent(src);
            return n > 0 || owner.isInBlockingMode() && awaitWrite(src, 0, true) > 0;
        } finally {
            unlock(writeLock);
        }
    }

    private int writeLocked(ByteBuffer src) throws IOException {
        checkWritable();
        int n = link.send(src);
        return src.hasRemaining() && owner.isInBlockingMode() ? (int) awaitWrite(src, n, false) : n;
    }

    long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        checkInterrupt();
        writeLock.lock();
        try {
            checkWritable();
            long total = 0;
            for (int i = offset; i < offset + length; i++) {
                total += link.send(srcs[i]);
                if (srcs[i].hasRemaining()) {
                    if (!owner.isInBlockingMode()) {
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

    int available() throws IOException {
        int now = state;
        if ((now & CLOSING) != 0) {
            throw new ClosedChannelException();
        }
        return (now & (INPUT_SHUT | RESET)) != 0 ? 0 : link.available();
    }

    /** Runs something while no data moves and no one waits for any. */
    void quiesce(Runnable action) {
        readLock.lock();
        writeLock.lock();
        try {
            action.run();
        } finally {
            writeLock.unlock();
            unlock(readLock);
        }
    }

    void shutdownInput() {
        if (mark(INPUT_SHUT)) {
            link.shutdownInput();
        }
    }

    void shutdownOutput() {
        if (mark(OUTPUT_SHUT)) {
            link.beginShutdownOutput(); // a writer that waits lets go of the lock
            writeLock.lock();
            try {
                if ((state & CLOSING) == 0) {
                    link.shutdownOutput();
                }
            } finally {
                unlock(writeLock);
            }
        }
    }

    boolean isInputShut() {
        return (state & INPUT_SHUT) != 0;
    }

    boolean isOutputShut() {
        return (state & OUTPUT_SHUT) != 0;
    }

    void close(boolean abortive) {
        stateLock.lock();
        try {
            abort = abortive;
            state |= CLOSING;
        } finally {
            stateLock.unlock();
        }
        link.beginClose();
        finishClose();
    }

    private boolean mark(int bit) {
        stateLock.lock();
        try {
            boolean first = (state & (bit | CLOSING)) == 0;
            state |= bit;
            return first;
        } finally {
            stateLock.unlock();
        }
    }

    private static ByteBuffer wrap(byte[] array, ByteBuffer last, int offset, int length) {
        ByteBuffer wrapped = last != null && last.array() == array ? last : ByteBuffer.wrap(array);
        return wrapped.limit(offset + length).position(offset);
    }

    private void checkInterrupt() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            owner.closeByInterrupt();
        }
    }

    /** Streams are for blocking mode, which lasts while a direction is locked. */
    private void checkBlockingMode() throws ClosedChannelException {
        if (!owner.isInBlockingMode()) {
            if ((state & CLOSING) != 0) {
                throw new ClosedChannelException();
            }
            throw new IllegalBlockingModeException();
        }
    }

    private boolean mayNotRead() throws IOException {
        int now = state;
        if (now == 0) {
            return false;
        }
        if ((now & CLOSING) != 0) {
            throw new ClosedChannelException();
        }
        if ((now & RESET) != 0) {
            throw new SocketException("Connection reset");
        }
        return (now & INPUT_SHUT) != 0;
    }

    private void checkWritable() throws IOException {
        int now = state;
        if (now != 0) {
            refuseWrite(now);
        }
    }

    private static void refuseWrite(int now) throws IOException {
        if ((now & CLOSING) != 0) {
            throw new ClosedChannelException();
        }
        if ((now & OUTPUT_SHUT) != 0) {
            throw new AsynchronousCloseException(); // as the JDK
        }
        if ((now & RESET) != 0) {
            throw new IOException("Broken pipe");
        }
    }

    /** Waits for the first bytes. The caller holds the read lock. */
    private int awaitRead(ByteBuffer dst, long deadlineNanos) throws IOException {
        if (!dst.hasRemaining() || !owner.isInBlockingMode()) {
            return 0;
        }
        int n = 0;
        boolean inTime = true;
        try {
            while (n == 0 && inTime && (state & (CLOSING | INPUT_SHUT)) == 0) {
                await(SelectionKey.OP_READ, deadlineNanos);
                n = receive(dst);
                inTime = !isPast(deadlineNanos); // whatever the peer made the wait think
            }
        } finally {
            owner.endWait(n > 0);
        }
        return n <= 0 && isInputShut() ? Link.EOF : n;
    }

    /** Waits until all is written, or this side closes. The caller holds the write lock. */
    private long awaitWrite(ByteBuffer src, long before, boolean urgent) throws IOException {
        long total = before;
        try {
            while (src.hasRemaining() && (state & (CLOSING | OUTPUT_SHUT)) == 0) {
                await(SelectionKey.OP_WRITE, Long.MAX_VALUE);
                total += sendUnlessShut(src, urgent);
            }
        } finally {
            owner.endWait(total > 0);
        }
        if (total == 0) {
            throw new AsynchronousCloseException(); // by shutdownOutput: endWait has dealt with a close
        }
        return total;
    }

    /** Waits, and closes the channel on an interrupt; {@code endWait} is called afterwards. */
    private void await(int op, long deadlineNanos) {
        if (link.spin(op)) {
            owner.closeIfInterrupted();
        } else {
            owner.beginBlocking();
            link.sleep(op, deadlineNanos);
        }
    }

    private int sendUnlessShut(ByteBuffer src, boolean urgent) throws IOException {
        try {
            return urgent ? link.sendUrgent(src) : link.send(src);
        } catch (IOException e) {
            if ((state & (CLOSING | OUTPUT_SHUT)) != 0) {
                return 0;
            }
            throw e;
        }
    }

    private int receive(ByteBuffer dst) throws IOException {
        checkNotReadOnly(dst);
        try {
            return link.receive(dst);
        } catch (IOException e) {
            mark(RESET);
            throw e instanceof SocketException ? e : new SocketException(e.getMessage());
        }
    }

    private int receiveMore(ByteBuffer[] dsts, int first, int end) throws IOException {
        int total = 0;
        for (int i = first; i < end; i++) {
            if (dsts[i].hasRemaining()) {
                int n = receive(dsts[i]);
                if (n <= 0) {
                    break;
                }
                total += n;
                if (dsts[i].hasRemaining()) {
                    break;
                }
            }
        }
        return total;
    }

    private static int firstWithRoom(ByteBuffer[] dsts, int offset, int length) {
        int first = -1;
        for (int i = offset + length - 1; i >= offset; i--) {
            checkNotReadOnly(dsts[i]);
            if (dsts[i].hasRemaining()) {
                first = i;
            }
        }
        return first;
    }

    private static void checkNotReadOnly(ByteBuffer dst) {
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private static boolean isPast(long deadlineNanos) {
        return deadlineNanos != Long.MAX_VALUE && deadlineNanos - System.nanoTime() <= 0;
    }

    private void unlock(SimpleLock lock) {
        lock.unlock();
        if ((state & CLOSING) != 0) { // volatile load after the volatile store in unlock: pairs with close
            finishClose();
        }
    }

    /** Closes the link unless someone holds a direction: they come here when they let go. */
    private void finishClose() {
        stateLock.lock();
        try {
            if (!linkClosed && readLock.tryLock()) {
                try {
                    if (writeLock.tryLock()) {
                        try {
                            linkClosed = true;
                            link.close(abort);
                        } finally {
                            writeLock.unlock();
                        }
                    }
                } finally {
                    readLock.unlock();
                }
            }
        } finally {
            stateLock.unlock();
        }
    }
}
