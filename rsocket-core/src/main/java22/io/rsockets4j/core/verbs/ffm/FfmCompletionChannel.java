/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A completion channel (ibv_comp_channel). */
final class FfmCompletionChannel implements CompletionChannel {
    private final MemorySegment channel;
    private final List<FfmCompletionQueue> queues = new CopyOnWriteArrayList<>();
    private final Place front;
    private final Place behind;

    FfmCompletionChannel(long pointer) throws VerbsException {
        channel = MemorySegment.ofAddress(pointer);
        int descriptor = NativeMemory.getInt(pointer + VerbsDescriptor.COMP_CHANNEL_FD);
        front = new Place(descriptor); // first, as the kernel wakes the first one that waits
        behind = new Place(descriptor);
    }

    /** Where one thread waits. */
    private static final class Place {
        private final EventDescriptor descriptor;

        // the waiting thread's
        private final MemorySegment state = Arena.ofAuto().allocate(Errno.LAYOUT);
        private final MemorySegment queue = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        private final MemorySegment context = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

        private Place(int channel) throws VerbsException {
            descriptor = new EventDescriptor(channel);
        }
    }

    long pointer() {
        return channel.address();
    }

    void add(FfmCompletionQueue created) {
        queues.add(created);
    }

    @Override
    public CompletionQueue await(int timeoutMillis) throws VerbsException {
        return await(behind, timeoutMillis);
    }

    @Override
    public CompletionQueue awaitInFront(int timeoutMillis) throws VerbsException {
        return await(front, timeoutMillis);
    }

    private CompletionQueue await(Place place, int timeoutMillis) throws VerbsException {
        if (!place.descriptor.await(timeoutMillis)) {
            return null;
        }
        if (HotCalls.getCqEvent(place.state, channel, place.queue, place.context) != 0) {
            int errno = Errno.captured(place.state);
            if (errno == Errno.EAGAIN) {
                return null;
            }
            throw Errno.failed("ibv_get_cq_event", errno);
        }
        long pointer = place.queue.get(ValueLayout.JAVA_LONG, 0);
        HotCalls.acknowledgeCqEvent(pointer);
        return find(pointer);
    }

    private FfmCompletionQueue find(long pointer) {
        for (int i = 0; i < queues.size(); i++) { // an iterator would be an allocation
            if (queues.get(i).pointer() == pointer) {
                return queues.get(i);
            }
        }
        throw new AssertionError("an event of no completion queue: " + Long.toHexString(pointer));
    }

    @Override
    public void wakeup() {
        behind.descriptor.wakeup();
    }

    @Override
    public boolean hasFront() {
        return true;
    }

    @Override
    public void wakeupInFront() {
        front.descriptor.wakeup();
    }
}
