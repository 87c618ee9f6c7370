/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.VirtualThreads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a connect waits for room in a listener's backlog, as TCP does that sends its SYN again: at growing intervals, to
 * the program's deadline or for as long as Linux tries. Used once, by one thread at a time.
 */
final class BacklogWait {
    private static final long FIRST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Six SYNs that are sent again, the first after a second: the default of net.ipv4.tcp_syn_retries. */
    private static final long TCP_NANOS = TimeUnit.SECONDS.toNanos(127);

    private final InetSocketAddress remote;
    private final LocalPort port;
    private final long deadlineNanos;
    private final long begunNanos = System.nanoTime();
    private long nextNanos = FIRST_NANOS;

    BacklogWait(InetSocketAddress remote, LocalPort port, long deadlineNanos) {
        this.remote = remote;
        this.port = port;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Waits for a moment. Interrupts disturb a virtual thread alone, as in the JDK; their status is kept.
     *
     * @throws ClosedChannelException if the program has closed its socket
     * @throws SocketException if a virtual thread is interrupted
     * @throws SocketTimeoutException if the program's time is over
     * @throws ConnectException if TCP would give up
     */
    void pause() throws IOException {
        if (!port.isOpen()) {
            throw new ClosedChannelException();
        }
        long now = System.nanoTime();
        boolean endless = deadlineNanos == Long.MAX_VALUE;
        if (!endless && now - deadlineNanos >= 0) {
            throw new SocketTimeoutException("Connect timed out");
        }
        if (now - begunNanos >= TCP_NANOS) {
            throw new ConnectException("Connection timed out: the backlog of the listener at " + remote + " is full");
        }
        if (Thread.currentThread().isInterrupted() && VirtualThreads.isVirtual()) {
            throw new SocketException("Closed by interrupt");
        }
        boolean interrupted = Thread.interrupted(); // with that status set, parking would not wait
        LockSupport.parkNanos(endless ? nextNanos : Math.min(nextNanos, deadlineNanos - now));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        nextNanos = Math.min(2 * nextNanos, LONGEST_NANOS);
    }
}
