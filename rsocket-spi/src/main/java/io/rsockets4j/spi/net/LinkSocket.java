/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.spi.lock.SimpleLock;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * A connected link as a blocking socket: adds to {@link Link} a lock per direction, timeouts, half-close and the
 * JDK's exceptions.
 *
 * <p>Reads and writes hold their direction's lock, also while they wait. {@link #close} marks the socket, wakes them,
 * and takes both locks, so that the link is closed when no data method runs.
 */
final class LinkSocket {
    private final RSocketImpl owner;
    private final Link link;
    private final SimpleLock readLock = new SimpleLock();
    private final SimpleLock writeLock = new SimpleLock();
    private final byte[] byteRead = new byte[1]; // guarded by readLock
    private final byte[] byteWritten = new byte[1]; // guarded by writeLock
    private volatile boolean closed; // written by close alone
    private volatile boolean inputShut; // written by shutdownInput alone
    private volatile boolean reset; // written under readLock, once a read has told that the peer aborted

    /**
     * Takes over a link.
     *
     * @param owner knows the timeout, and closes this
     * @param link established
     */
    LinkSocket(RSocketImpl owner, Link link) {
        this.owner = owner;
        this.link = link;
    }

    Link link() {
        return link;
    }

    /** Reads one byte, as {@link java.io.InputStream#read()}. */
    int read() throws IOException {
        readLock.lock();
        try {
            return readLocked(byteRead, 0, 1) > 0 ? byteRead[0] & 0xff : Link.EOF;
        } finally {
            readLock.unlock();
        }
    }

    /** Reads at least one byte, as {@link java.io.InputStream#read(byte[], int, int)}. */
    int read(byte[] dst, int offset, int length) throws IOException {
        readLock.lock();
        try {
            return readLocked(dst, offset, length);
        } finally {
            readLock.unlock();
        }
    }

    private int readLocked(byte[] dst, int offset, int length) throws IOException {
        ensureOpen();
        if (inputShut) {
            return Link.EOF;
        }
        int n = receive(dst, offset, length);
        return n != 0 ? n : awaitBytes(dst, offset, length);
    }

    /** Waits for the first bytes. The caller holds the read lock. */
    private int awaitBytes(byte[] dst, int offset, int length) throws IOException {
        long deadlineNanos = Deadline.after(owner.timeoutMillis());
        boolean interrupted = false;
        try {
            while (true) {
                link.await(SelectionKey.OP_READ, deadlineNanos);
                ensureOpen();
                int n = inputShut ? Link.EOF : receive(dst, offset, length);
                if (n != 0) {
                    return n;
                }
                if (Thread.interrupted()) {
                    interrupted = true;
                    Interrupts.failIfVirtual();
                } else if (Deadline.isPast(deadlineNanos)) { // whatever the peer made the wait think
                    throw new SocketTimeoutException("Read timed out");
                }
            }
        } finally {
            Interrupts.restore(interrupted);
        }
    }

    /** Writes one byte, as {@link java.io.OutputStream#write(int)}. */
    void write(int value) throws IOException {
        writeLock.lock();
        try {
            byteWritten[0] = (byte) value;
            writeLocked(byteWritten, 0, 1);
        } finally {
            writeLock.unlock();
        }
    }

    /** Writes everything, as {@link java.io.OutputStream#write(byte[], int, int)}. */
    void write(byte[] src, int offset, int length) throws IOException {
        writeLock.lock();
        try {
            writeLocked(src, offset, length);
        } finally {
            writeLock.unlock();
        }
    }

    private void writeLocked(byte[] src, int offset, int length) throws IOException {
        ensureOpen();
        int n = send(src, offset, length);
        if (n < length) {
            awaitCredit(src, offset + n, length - n);
        }
    }

    /** Waits until the rest is written. The caller holds the write lock. */
    private void awaitCredit(byte[] src, int offset, int length) throws IOException {
        int done = 0;
        boolean interrupted = false;
        try {
            while (done < length) {
                link.await(SelectionKey.OP_WRITE, Deadline.NEVER);
                ensureOpen();
                int n = send(src, offset + done, length - done);
                done += n;
                if (n == 0 && Thread.interrupted()) {
                    interrupted = true;
                    Interrupts.failIfVirtual();
                }
            }
        } finally {
            Interrupts.restore(interrupted);
        }
    }

    /** Sends an urgent byte, waiting for credit. */
    void sendUrgentData(int data) throws IOException {
        writeLock.lock();
        boolean interrupted = false;
        try {
            ensureOpen();
            ByteBuffer src = ByteBuffer.wrap(new byte[] {(byte) data});
            while (sendUrgent(src) == 0) {
                link.await(SelectionKey.OP_WRITE, Deadline.NEVER);
                ensureOpen();
                if (Thread.interrupted()) {
                    interrupted = true;
                    Interrupts.failIfVirtual();
                }
            }
        } finally {
            writeLock.unlock();
            Interrupts.restore(interrupted);
        }
    }

    private int sendUrgent(ByteBuffer src) throws SocketException {
        if (reset) {
            throw new SocketException("Broken pipe");
        }
        try {
            return link.sendUrgent(src);
        } catch (IOException e) {
            throw asSocketException(e);
        }
    }

    int available() throws SocketException {
        ensureOpen();
        return inputShut ? 0 : link.available();
    }

    void shutdownInput() {
        inputShut = true;
        link.shutdownInput();
    }

    void shutdownOutput() {
        link.beginShutdownOutput();
        writeLock.lock();
        try {
            link.shutdownOutput();
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Closes the link once the threads that use it have let go, which they do at once. Bytes that were not read make no
     * reset: the JDK ends its output before it closes, so that the peer of a {@link java.net.Socket} reads the end.
     *
     * @param abort reset, as SO_LINGER 0 does
     */
    void close(boolean abort) {
        closed = true;
        link.beginClose();
        readLock.lock();
        writeLock.lock();
        try {
            if (!abort) {
                link.shutdownOutput();
            }
            link.close(abort);
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
    }

    private int receive(byte[] dst, int offset, int length) throws SocketException {
        try {
            return link.receive(dst, offset, length);
        } catch (IOException e) {
            reset = true;
            throw asSocketException(e);
        }
    }

    private int send(byte[] src, int offset, int length) throws SocketException {
        if (reset) {
            throw new SocketException("Broken pipe");
        }
        try {
            return link.send(src, offset, length);
        } catch (IOException e) {
            throw asSocketException(e);
        }
    }

    private static SocketException asSocketException(IOException cause) {
        if (cause instanceof SocketException same) {
            return same;
        }
        SocketException result = new SocketException(cause.getMessage());
        if (cause.getClass() != IOException.class) { // tells more than its message
            result.initCause(cause);
        }
        return result;
    }

    private void ensureOpen() throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
    }
}
