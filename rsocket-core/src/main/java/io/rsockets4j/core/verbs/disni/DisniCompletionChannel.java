/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An ibv_comp_channel.
 *
 * <p>DiSNI does not tell which completion queue an event is of. So an event is taken for one of each queue of this
 * channel: looking into a queue for nothing is harmless, and so is asking for a notification twice. Nor are events
 * acknowledged: only destroying a queue would wait for that, and queues are kept.
 */
final class DisniCompletionChannel implements CompletionChannel {
    private final NativeDispatcher disni;
    private final long pointer;
    private final SlicedWait events = new SlicedWait("ibv_get_cq_event", this::poll);
    private final List<DisniCompletionQueue> queues = new CopyOnWriteArrayList<>();
    private int announced; // queues that await has yet to return, the first ones; by the thread that waits

    DisniCompletionChannel(NativeDispatcher disni, long pointer) {
        this.disni = disni;
        this.pointer = pointer;
    }

    long pointer() {
        return pointer;
    }

    void add(DisniCompletionQueue queue) {
        queues.add(queue);
    }

    @Override
    public CompletionQueue await(int timeoutMillis) throws IOException {
        if (announced == 0) {
            if (!events.await(timeoutMillis)) {
                return null;
            }
            announced = queues.size();
        }
        announced--;
        return queues.get(announced);
    }

    private boolean poll(int millis) throws IOException {
        try {
            return disni._getCqEvent(pointer, millis) >= 0;
        } catch (IOException e) {
            throw DisniErrors.of("ibv_get_cq_event", e);
        }
    }

    @Override
    public void wakeup() {
        events.wakeup();
    }

    /** The library's wait takes whatever comes. */
    @Override
    public boolean hasFront() {
        return false;
    }

    @Override
    public CompletionQueue awaitInFront(int timeoutMillis) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wakeupInFront() {
        throw new UnsupportedOperationException();
    }
}
