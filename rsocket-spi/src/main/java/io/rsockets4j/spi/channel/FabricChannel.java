/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.nio.channels.SelectableChannel;

/**
 * One of our channels, as our selector sees it: on the JDK's side, on a fabric's side, on both (a listener) or, before
 * the path is chosen, on neither. Any thread may call.
 */
public interface FabricChannel {
    /**
     * The JDK channel to watch.
     *
     * @return null while there is none
     */
    SelectableChannel jdkChannel();

    /**
     * Who will be named as the source of rings.
     *
     * @return a link or a listener, or null while there is none
     */
    Object source();

    /**
     * What is known to be ready on the fabric's side: a link's completion queue is not polled.
     *
     * @param ops operation bits to look for
     * @return those of them that are ready; 0 without a source
     */
    int fabricReadyOps(int ops);

    /**
     * Narrows what the JDK's side reported to what concerns the program.
     *
     * @param ops ready on the JDK channel
     * @return those of them that the program shall see
     */
    int filterJdkReadyOps(int ops);

    /**
     * Has the source ring the waiter once when one of the operations becomes ready; look once more afterwards.
     *
     * @param ops operation bits
     * @param waiter whom to ring
     */
    void arm(int ops, Waiter waiter);

    /**
     * Withdraws whatever a waiter was armed for. A ring already under way may still arrive.
     *
     * @param waiter the waiter that was armed
     */
    void disarm(Waiter waiter);

    /**
     * Adds someone to tell whenever {@link #jdkChannel} or {@link #source} changes, and, for listeners, to ring
     * whenever something arrives.
     *
     * @param watcher told by any thread
     */
    void addWatcher(Watcher watcher);

    /**
     * Removes a watcher, and whatever its waiter was armed for.
     *
     * @param watcher that was added
     */
    void removeWatcher(Watcher watcher);

    /**
     * Takes TCP from now on, as the channel is to be registered with a selector of the JDK's, which was opened before
     * ours were there.
     *
     * @return the JDK channel to register in its stead, or null where a fabric has the connection already
     * @throws IOException if there can be none
     */
    SelectableChannel leaveFabrics() throws IOException;

    /** One registration of a channel with a selector. */
    interface Watcher {
        /** The channel's path has become known, or its connection complete. Must not block. */
        void pathChanged();

        /** The channel becomes blocking: the JDK channel's key must be invalid when this returns. */
        void releaseJdkKey();

        /**
         * Whom the channel's source shall ring.
         *
         * @return the selector's waiter
         */
        Waiter waiter();
    }
}
