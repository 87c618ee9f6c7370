/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A doorbell line between the two processes of a session: a Unix-domain socket over which a single byte says "wake
 * up". Either end may have an owner that sleeps on it; whoever rings first makes sure that the owner sleeps, so that
 * no more than a few bytes are ever under way.
 */
final class Lane {
    private final int index;
    private final SocketChannel channel;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(64); // owner only
    private final ReentrantLock bellLock = new ReentrantLock();
    private final ByteBuffer bell = ByteBuffer.allocateDirect(1); // guarded by bellLock

    /**
     * Creates a lane.
     *
     * @param index its number in the session
     * @param channel connected, non-blocking
     */
    Lane(int index, SocketChannel channel) {
        this.index = index;
        this.channel = channel;
    }

    int index() {
        return index;
    }

    SocketChannel channel() {
        return channel;
    }

    /** Wakes the owner of the other end. Any thread; a peer that has gone needs no waking. */
    void ring() {
        bellLock.lock();
        try {
            channel.write(bell.rewind()); // the socket's buffer is never full: see above
        } catch (IOException e) {
            System.getLogger(Lane.class.getName()).log(System.Logger.Level.DEBUG, "nobody to ring", e);
        } finally {
            bellLock.unlock();
        }
    }

    /**
     * Silences this end. Owner only.
     *
     * @return false when the peer has gone
     */
    boolean drain() {
        try {
            int read;
            do {
                read = channel.read(scratch.clear());
            } while (read == scratch.capacity());
            return read >= 0;
        } catch (IOException e) {
            System.getLogger(Lane.class.getName()).log(System.Logger.Level.DEBUG, "a lane broke", e);
            return false;
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            System.getLogger(Lane.class.getName()).log(System.Logger.Level.DEBUG, "a lane could not be closed", e);
        }
    }
}
