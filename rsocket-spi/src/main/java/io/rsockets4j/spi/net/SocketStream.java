/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.spi.stream.LinkStream;
import io.rsockets4j.spi.stream.SocketExceptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;

/**
 * A connected link as a {@link java.net.Socket} uses it. Platform threads wait on when they are interrupted, and keep
 * their status; virtual ones fail, and the JDK closes their socket. It does not lead to the program's socket, so that
 * a forgotten socket is collected.
 */
final class SocketStream extends LinkStream {
    private volatile boolean forgotten; // by the program

    SocketStream(Link link) {
        super(link);
    }

    @Override
    protected boolean isBlocking() {
        return true;
    }

    @Override
    protected void enter() {
        // an interrupt status that is set matters only to waits
    }

    @Override
    protected void await(int op, long deadlineNanos) {
        link().await(op, deadlineNanos);
    }

    @Override
    protected boolean takeInterrupt() throws InterruptedIOException {
        return takenInterrupt();
    }

    /**
     * Takes an interrupt from a platform thread, whose waits would else end at once.
     *
     * @return whether its status was set; to be given to {@link #restore}
     * @throws InterruptedIOException on a virtual thread: the JDK's socket closes itself when it sees this exception
     *         and the interrupt status
     */
    static boolean takenInterrupt() throws InterruptedIOException {
        if (!Thread.currentThread().isInterrupted()) {
            return false;
        }
        if (VirtualThreads.isVirtual()) {
            throw new InterruptedIOException();
        }
        return Thread.interrupted();
    }

    /** Sets the interrupt status again, if it was taken. */
    static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void endWait(boolean done, boolean interrupted) throws SocketException {
        restore(interrupted);
        if (!done && isClosing()) {
            throw closed();
        }
    }

    @Override
    protected boolean repeatsEnd() {
        return true;
    }

    @Override
    protected SocketException closed() {
        return new SocketException("Socket closed");
    }

    @Override
    protected SocketException outputShut() {
        return new SocketException("Broken pipe");
    }

    @Override
    protected SocketException writeFailed(IOException cause) {
        return SocketExceptions.of(cause);
    }

    /**
     * Bytes that were not read make no reset: the JDK ends its output before it closes, so that the peer of a {@link
     * java.net.Socket} reads the end. The kernel, which closes one that is forgotten, does not.
     */
    @Override
    protected void closeLink(boolean resets) {
        if (!resets && !forgotten) {
            link().shutdownOutput();
        }
        super.closeLink(resets);
    }

    /** Closes where the program has dropped its socket, if that was not closed. */
    void forget() {
        if (!isClosing()) {
            forgotten = true;
            close(false);
        }
    }
}
