/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static io.rsockets4j.core.direct.DirectCorruptedException.check;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The receiver's side of a stream's adverts: which of its buffers the peer was told of, and what has come into them.
 * The peer fills them in order. Those that have got their last byte are <em>done</em>, and stay until the receiver has
 * taken note of them.
 *
 * <p>Thread-safe. The receiving direction adds, takes and forgets; whoever serves the peer's news says what has come.
 */
public class OwnAdverts {
    /** How many buffers a peer is told of at a time. */
    public static final int MAX = 32;

    private final ReentrantLock lock = new ReentrantLock();
    private final Advert[] adverts = new Advert[MAX]; // guarded by lock, as all that follows
    private final int[] filled = new int[MAX];
    private int first;
    private int count;
    private int done; // of them, the oldest

    private int at(int index) {
        return (first + index) % MAX;
    }

    /**
     * Adds a buffer behind the others, before the peer hears of it.
     *
     * @param advert what the peer will hear; nothing is left in the ring
     */
    public final void add(Advert advert) {
        lock.lock();
        try {
            if (count == MAX) {
                throw new IllegalStateException("more than " + MAX + " adverts");
            }
            adverts[at(count)] = advert;
            filled[at(count)] = 0;
            count++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The buffers of which the peer was told, and which the receiver has not taken note of.
     *
     * @return from 0 to {@link #MAX}
     */
    public final int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Those of {@link #count} into which the peer may still write.
     *
     * @return from 0 to {@link #MAX}
     */
    public final int open() {
        lock.lock();
        try {
            return count - done;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The peer has written into the oldest buffer that is not done.
     *
     * @param length bytes
     * @param last whether it writes no more there
     * @param ringArrived bytes that have come by the ring, as {@link Advert#ringBytes} counts
     * @throws DirectCorruptedException if it could not
     */
    public final void arrived(int length, boolean last, long ringArrived) throws DirectCorruptedException {
        lock.lock();
        try {
            int at = at(done);
            int room = done < count && adverts[at].ringBytes() == ringArrived ? adverts[at].length() - filled[at] : 0;
            check("length of a direct write", length, 1, room);
            if (last && adverts[at].waitAll()) {
                check("length of a last direct write", length, room, room);
            }
            filled[at] += length;
            done += last ? 1 : 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Something else has come than bytes for a buffer that has got some: no more come for that one.
     *
     * @throws DirectCorruptedException if it does not wait for all, as then its last bytes are missing
     */
    public final void endPart() throws DirectCorruptedException {
        lock.lock();
        try {
            if (done < count && filled[at(done)] > 0) {
                check("bytes that are missing at the end of a direct write", 1, 0, adverts[at(done)].waitAll() ? 1 : 0);
                done++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The link has gone: a buffer that has got some bytes is done, and the peer writes to no other. */
    public void end() {
        lock.lock();
        try {
            done += done < count && filled[at(done)] > 0 ? 1 : 0;
            forget();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes note of the oldest buffer, if it is done.
     *
     * @return how many bytes it has got; 0 if none is done
     */
    public final int take() {
        lock.lock();
        try {
            if (done == 0) {
                return 0;
            }
            int bytes = filled[first];
            adverts[first] = null;
            first = at(1);
            count--;
            done--;
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** The peer uses those no more that are not done. */
    public void forget() {
        lock.lock();
        try {
            while (count > done) {
                adverts[at(--count)] = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
