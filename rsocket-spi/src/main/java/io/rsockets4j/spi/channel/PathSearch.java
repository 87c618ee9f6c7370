/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A non-blocking connect that waits for the peer's answer, on a thread of {@link ConnectThreads}: pending, as the
 * program sees it, until that thread has ended the search and the program has finished the connect. Thread-safe.
 */
final class PathSearch {
    private final InetSocketAddress remote;
    private final CompletableFuture<IOException> outcome = new CompletableFuture<>(); // null: nothing to complain of

    PathSearch(InetSocketAddress remote) {
        this.remote = remote;
    }

    /** Where the program wants to connect to. */
    InetSocketAddress remote() {
        return remote;
    }

    /** A path is found, and the connect goes on there; or nobody wants it any more. */
    void end() {
        outcome.complete(null);
    }

    /** There is no path, or it leads nowhere: what finishing the connect shall tell. */
    void fail(IOException cause) {
        outcome.complete(cause);
    }

    boolean isOver() {
        return outcome.isDone();
    }

    /** Why no path was found; null while the search goes on, and if one was. */
    IOException failure() {
        return outcome.getNow(null);
    }

    /** Waits for the end, without being disturbed by interrupts, whose status is kept. */
    void await() {
        outcome.join();
    }
}
