/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Link;
import java.io.IOException;
import java.net.SocketTimeoutException;

/**
 * Accepts from the fabrics and from TCP, so that neither starves the other. One thread at a time, under the door's
 * accept lock.
 *
 * @param <S> what accepting makes
 */
public final class Acceptor<S> {
    private static final int LINKS_BEFORE_TCP = 16; // so that a rush on the fabrics does not starve plain clients

    private final AcceptQueue queue;
    private final boolean triesTcp;
    private int linksInARow;

    /**
     * Accepts nothing yet.
     *
     * @param queue where links arrive
     * @param triesTcp whether the door's accept by TCP does not wait, so that it is tried whenever there is no link
     */
    public Acceptor(AcceptQueue queue, boolean triesTcp) {
        this.queue = queue;
        this.triesTcp = triesTcp;
    }

    /**
     * What a door does in an accept.
     *
     * @param <S> what accepting makes
     */
    public interface Door<S> {
        /**
         * Makes a socket of a link.
         *
         * @param link out of the queue
         * @return never null
         * @throws IOException if the socket was closed meanwhile
         */
        S link(Link link) throws IOException;

        /**
         * Accepts from TCP.
         *
         * @param seen whether a client is known to be there
         * @return null where no client is there
         * @throws IOException if the listener is closed, or TCP fails
         */
        S tcp(boolean seen) throws IOException;

        /**
         * Looks at the listener's and the thread's state before each attempt.
         *
         * @throws IOException if the listener is closed, or an interrupt ends the accept
         */
        void check() throws IOException;

        /**
         * Sleeps by {@link AcceptSleep#sleep}.
         *
         * @param deadlineNanos a {@link System#nanoTime} value, or {@link Deadline#NEVER}
         * @return whether a TCP client was seen
         * @throws IOException if the listener is closed
         */
        boolean sleep(long deadlineNanos) throws IOException;
    }

    /**
     * Accepts what is there.
     *
     * @param door of the listener
     * @param tcpSeen whether a TCP client was seen
     * @return null if nothing is
     * @throws IOException from the door
     */
    public S acceptNow(Door<S> door, boolean tcpSeen) throws IOException {
        boolean tcpsTurn = linksInARow >= LINKS_BEFORE_TCP;
        S accepted = tcpsTurn ? null : acceptLink(door);
        if (accepted == null && (tcpsTurn || tcpSeen || triesTcp)) {
            linksInARow = 0;
            accepted = door.tcp(tcpSeen);
        }
        return accepted == null && tcpsTurn ? acceptLink(door) : accepted;
    }

    private S acceptLink(Door<S> door) throws IOException {
        Link link = queue.poll();
        if (link == null) {
            return null;
        }
        linksInARow++;
        return door.link(link);
    }

    /**
     * Accepts, waiting for something to come: spins where a link came last, then sleeps.
     *
     * @param door of the listener
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Deadline#NEVER}
     * @return never null
     * @throws SocketTimeoutException when the time is over
     * @throws IOException from the door
     */
    public S accept(Door<S> door, long deadlineNanos) throws IOException {
        boolean mayCome = linksInARow > 0;
        boolean tcpSeen = false;
        while (true) {
            door.check();
            S accepted = acceptNow(door, tcpSeen);
            if (accepted != null) {
                return accepted;
            }
            if (Deadline.isPast(deadlineNanos)) {
                throw new SocketTimeoutException("Accept timed out");
            }
            tcpSeen = false;
            if (!mayCome || !queue.spin()) {
                tcpSeen = door.sleep(deadlineNanos);
                if (mayCome && queue.isPending()) {
                    queue.slept();
                }
            }
            mayCome = false;
        }
    }
}
