/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.nio.channels.ServerSocketChannel;

/**
 * The fabrics' side of a listening socket: established links that no one has accepted yet, in order of arrival.
 *
 * <p>Its owner also holds a real TCP listener on the same address and port and merges the two. All methods may be
 * called by any thread and none blocks.
 */
public interface Listener extends AutoCloseable {
    /**
     * Takes the oldest pending link, of those too that peers take for connected and no thread has made here yet.
     *
     * @return an established link, or null when none is pending
     */
    Link poll();

    /**
     * Whether a link is pending, as far as is known: see {@link #look}.
     *
     * @return true when {@link #poll} would return a link now
     */
    boolean isPending();

    /**
     * Makes the links that peers take for connected, so that they are pending before some other thread gets to it, as a
     * kernel's are. Costs a glance at each process that is connected to this one.
     *
     * @return {@link #isPending()} at the end
     */
    boolean look();

    /**
     * Waits a moment for a pending link, as long as the spin policy finds worthwhile.
     *
     * @return {@link #isPending()} at the end
     */
    boolean spin();

    /** Tells the spin policy that a link came while the accepting thread slept, after {@link #spin}. */
    void slept();

    /**
     * Adds someone to ring whenever a link becomes pending, until removed. Look at {@link #isPending} afterwards.
     *
     * @param waiter whom to ring
     */
    void addWaiter(Waiter waiter);

    /**
     * Removes a waiter; unknown ones are ignored.
     *
     * @param waiter whom not to ring any more
     */
    void removeWaiter(Waiter waiter);

    /**
     * Has TCP clients watched for, so that whoever accepts need not sleep where TCP is seen.
     *
     * @param tcp the listener's TCP side, bound and non-blocking; always the same
     * @return false where nobody can, or TCP clients came lately: sleep where TCP is seen
     */
    boolean watchTcp(ServerSocketChannel tcp);

    /**
     * Whether a watched TCP client has come that no thread looked for.
     *
     * @return true until {@link #takeTcpClient}
     */
    boolean hasTcpClient();

    /**
     * The calling thread looks for TCP clients next.
     *
     * @return what {@link #hasTcpClient} returned until now
     */
    boolean takeTcpClient();

    /** Stops listening: later connects are refused, pending links are reset. Idempotent. */
    @Override
    void close();
}
