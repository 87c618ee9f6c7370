/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a channel's descriptor, or for a wake-up. One thread waits, any thread wakes. Allocates nothing once made.
 *
 * <p>{@code struct pollfd} is {@code int fd; short events; short revents}.
 */
final class EventDescriptor {
    private static final int POLLFD_BYTES = 8;
    private static final int EVENTS = 4;
    private static final int RETURNED_EVENTS = 6;
    private static final short POLLIN = 1;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment descriptors = arena.allocate(2 * POLLFD_BYTES, Integer.BYTES);
    private final MemorySegment state = arena.allocate(Errno.LAYOUT);
    private final MemorySegment count = arena.allocate(JAVA_LONG);
    private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
    private final int wakeup;

    /**
     * Makes a channel's descriptor one to wait for.
     *
     * @param channel its descriptor, which becomes non-blocking
     */
    EventDescriptor(int channel) throws VerbsException {
        Libc.setNonBlocking(channel);
        wakeup = Libc.eventDescriptor();
        watch(0, channel);
        watch(1, wakeup);
    }

    private void watch(int index, int descriptor) {
        descriptors.set(JAVA_INT, index * POLLFD_BYTES, descriptor);
        descriptors.set(JAVA_SHORT, index * POLLFD_BYTES + EVENTS, POLLIN);
    }

    /**
     * Waits.
     *
     * @param timeoutMillis the longest wait; 0 does not wait, -1 waits without limit
     * @return whether the channel has something, also an error; false after a timeout or a wake-up
     */
    boolean await(int timeoutMillis) throws VerbsException {
        long start = timeoutMillis > 0 ? System.nanoTime() : 0;
        int left = timeoutMillis;
        while (HotCalls.poll(state, descriptors, 2, left) < 0) {
            int errno = Errno.captured(state);
            if (errno != Errno.EINTR) {
                throw Errno.failed("poll", errno);
            }
            if (timeoutMillis > 0) {
                left = Math.max(0, timeoutMillis - (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            }
        }
        if (isReady(0)) {
            return true;
        }
        if (isReady(1)) {
            HotCalls.read(wakeup, count); // fails only when it is 0 already
        }
        return false;
    }

    private boolean isReady(int index) {
        return descriptors.get(JAVA_SHORT, index * POLLFD_BYTES + RETURNED_EVENTS) != 0;
    }

    /** Ends {@link #await}, now or the next one that finds nothing. */
    void wakeup() {
        HotCalls.write(wakeup, one); // fails only when nobody has read 2^64 wake-ups
    }

    /** Closes what was opened here; nobody waits or wakes any more. */
    void close() throws VerbsException {
        Libc.close(wakeup);
    }
}
