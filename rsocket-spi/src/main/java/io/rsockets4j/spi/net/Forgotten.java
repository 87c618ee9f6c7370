/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import java.lang.ref.Cleaner;

/**
 * Closes links and listeners whose socket a program dropped without closing it, as the JDK does with TCP's descriptors:
 * the peer reads the end, and the memory comes back.
 */
final class Forgotten {
    private static final Cleaner CLEANER = Cleaner.create();

    private Forgotten() { }

    /**
     * Closes a stream when its socket is unreachable.
     *
     * @param socket holds the stream, which must not hold it
     * @param stream to close
     * @return to be cleaned once the socket has been closed
     */
    static Cleaner.Cleanable watch(Object socket, SocketStream stream) {
        return CLEANER.register(socket, new Forget(stream));
    }

    /**
     * Closes a listener when its socket is unreachable.
     *
     * @param socket holds the listener, which must not hold it
     * @param listener to close
     * @return to be cleaned once the socket has been closed
     */
    static Cleaner.Cleanable watch(Object socket, LinkListener listener) {
        return CLEANER.register(socket, listener::closeQuietly);
    }

    /** No lambda, whose machinery takes a young process long. */
    private record Forget(SocketStream stream) implements Runnable {
        @Override
        public void run() {
            stream.forget();
        }
    }
}
