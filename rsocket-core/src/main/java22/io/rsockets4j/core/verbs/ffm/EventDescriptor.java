/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a channel's descriptor, or for a wake-up. One thread waits, any thread wakes. Allocates nothing once made.
 *
 * <p>Where several of these wait for one channel, the kernel wakes the one that was made first among those whose thread
 * waits just then (EPOLLEXCLUSIVE). A thread that it has not woken may miss that the channel has something.
 *
 * <p>{@code struct epoll_event} is {@code uint32_t events; uint64_t data}, without a gap on x86-64.
 */
final class EventDescriptor {
    private static final boolean IS_PACKED = System.getProperty("os.arch").matches("amd64|x86_64");
    private static final int DATA = IS_PACKED ? 4 : 8;
    private static final int EVENT_BYTES = DATA + Long.BYTES;
    private static final int EPOLLIN = 1;
    private static final int EPOLLEXCLUSIVE = 1 << 28;
    private static final int CHANNEL = 0;
    private static final int WAKEUP = 1;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment ready = arena.allocate(2 * EVENT_BYTES, Long.BYTES);
    private final MemorySegment state = arena.allocate(Errno.LAYOUT);
    private final MemorySegment count = arena.allocate(JAVA_LONG);
    private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
    private final int epoll;
    private final int wakeup;

    /**
     * Makes a channel's descriptor one to wait for.
     *
     * @param channel its descriptor, which becomes non-blocking
     */
    EventDescriptor(int channel) throws VerbsException {
        Libc.setNonBlocking(channel);
        wakeup = Libc.eventDescriptor();
        epoll = Libc.epoll();
        watch(channel, EPOLLIN | EPOLLEXCLUSIVE, CHANNEL);
        watch(wakeup, EPOLLIN, WAKEUP);
    }

    private void watch(int descriptor, int events, int data) throws VerbsException {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment event = call.allocate(EVENT_BYTES, Long.BYTES);
            event.set(JAVA_INT, 0, events);
            event.set(JAVA_INT, DATA, data);
            Libc.addToEpoll(epoll, descriptor, event);
        }
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
        int events = HotCalls.epollWait(state, epoll, ready, 2, left);
        while (events < 0) {
            int errno = Errno.captured(state);
            if (errno != Errno.EINTR) {
                throw Errno.failed("epoll_wait", errno);
            }
            if (timeoutMillis > 0) {
                left = Math.max(0, timeoutMillis - (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            }
            events = HotCalls.epollWait(state, epoll, ready, 2, left);
        }
        boolean woken = false;
        for (int i = 0; i < events; i++) {
            if (ready.get(JAVA_INT, (long) i * EVENT_BYTES + DATA) == CHANNEL) {
                return true;
            }
            woken = true;
        }
        if (woken) {
            HotCalls.read(wakeup, count); // fails only when it is 0 already
        }
        return false;
    }

    /** Ends {@link #await}, now or the next one that finds nothing. */
    void wakeup() {
        HotCalls.write(wakeup, one); // fails only when nobody has read 2^64 wake-ups
    }

    /** Closes what was opened here; nobody waits or wakes any more. */
    void close() throws VerbsException {
        Libc.close(epoll);
        Libc.close(wakeup);
    }
}
