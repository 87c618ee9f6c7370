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
    private final EventDescriptor descriptor;
    private final List<FfmCompletionQueue> queues = new CopyOnWriteArrayList<>();

    // the waiting thread's
    private final MemorySegment state = Arena.ofAuto().allocate(Errno.LAYOUT);
    private final MemorySegment queue = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    private final MemorySegment context = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

    FfmCompletionChannel(long pointer) throws VerbsException {
        channel = MemorySegment.ofAddress(pointer);
        descriptor = new EventDescriptor(NativeMemory.getInt(pointer + VerbsDescriptor.COMP_CHANNEL_FD));
    }

    long pointer() {
        return channel.address();
    }

    void add(FfmCompletionQueue created) {
        queues.add(created);
    }

    @Override
    public CompletionQueue await(int timeoutMillis) throws VerbsException {
        if (!descriptor.await(timeoutMillis)) {
            return null;
        }
        if (HotCalls.getCqEvent(state, channel, queue, context) != 0) {
            int errno = Errno.captured(state);
            if (errno == Errno.EAGAIN) {
                return null;
            }
            throw Errno.failed("ibv_get_cq_event", errno);
        }
        long pointer = queue.get(ValueLayout.JAVA_LONG, 0);
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
        descriptor.wakeup();
    }
}
