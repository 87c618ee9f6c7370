/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * Watches the TCP side of a listener for threads and selectors that sleep on a bell. It tells once, and must be asked
 * again. Thread-safe.
 */
public interface TcpWatch extends AutoCloseable {
    /**
     * Tells when a TCP client waits, once; at once where one does. Does not block.
     *
     * @return false where it cannot tell any more: nobody is to rely on it
     */
    boolean expect();

    /** Lets go of the channel, and waits until that has happened: its descriptor may be closed then. Idempotent. */
    @Override
    void close();
}
