/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/**
 * A non-blocking connect that waits for the peer's answer, on a thread of {@link ConnectThreads}: pending, as the
 * program sees it, until that thread has ended the search and the program has finished the connect. Thread-safe.
 */
final class PathSearch {
    private final InetSocketAddress remote;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile IOException failure; // set before over

    PathSearch(InetSocketAddress remote) {
        this.remote = remote;
    }

    /** Where the program wants to connect to. */
    InetSocketAddress remote() {
        return remote;
    }

    /** A path is found, and the connect goes on there; or nobody wants it any more. */
    void end() {
        over.countDown();
    }

    /** There is no path, or it leads nowhere: what finishing the connect shall tell. */
    void fail(IOException cause) {
        failure = cause;
        over.countDown();
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Why no path was found; null while the search goes on, and if one was. */
    IOException failure() {
        return failure;
    }

    /** Waits for the end, without being disturbed by interrupts, whose status is kept. */
    void await() {
        boolean interrupted = false;
        while (!isOver()) {
            try {
                over.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
