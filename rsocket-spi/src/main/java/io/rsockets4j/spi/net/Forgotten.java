/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.Link;
import java.lang.ref.Cleaner;

/**
 * Closes links and listeners whose socket a program dropped without closing it, as the JDK does with TCP's descriptors:
 * the peer reads the end, and the memory comes back.
 */
final class Forgotten {
    private static final Cleaner CLEANER = Cleaner.create();

    private Forgotten() { }

    /**
     * Closes a link when its socket is unreachable.
     *
     * @param socket holds the link, which must not hold it
     * @param link to close
     * @return to be cleaned once the socket has been closed
     */
    static Cleaner.Cleanable watch(RSocketImpl socket, Link link) {
        return CLEANER.register(socket, new CloseLink(link));
    }

    /**
     * Closes a listener when its socket is unreachable.
     *
     * @param socket holds the listener, which must not hold it
     * @param listener to close
     * @return to be cleaned once the socket has been closed
     */
    static Cleaner.Cleanable watch(RSocketImpl socket, LinkListener listener) {
        return CLEANER.register(socket, listener::closeQuietly);
    }

    private record CloseLink(Link link) implements Runnable {
        @Override
        public void run() {
            link.beginClose();
            link.close(false);
        }
    }
}
