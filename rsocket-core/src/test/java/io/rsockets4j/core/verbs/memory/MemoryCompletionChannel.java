/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;

/** Collects the events of completion queues. */
final class MemoryCompletionChannel implements CompletionChannel {
    private final MemoryDevice device;
    private final MemoryHost host;
    private final ChannelFault fault;
    private final Mailbox<CompletionQueue> mailbox = new Mailbox<>();

    MemoryCompletionChannel(MemoryDevice device) {
        this.device = device;
        host = device.host();
        fault = host.completionFault();
        fault.add(mailbox::wakeup);
        fault.add(mailbox::wakeupInFront);
    }

    MemoryDevice device() {
        return device;
    }

    void announce(MemoryCompletionQueue queue) {
        mailbox.add(queue);
    }

    @Override
    public CompletionQueue await(int timeoutMillis) throws IOException {
        fault.check();
        return taken(mailbox.await(timeoutMillis), false);
    }

    private CompletionQueue taken(CompletionQueue queue, boolean inFront) throws IOException {
        fault.check();
        if (queue != null) {
            host.eventTaken(inFront);
        }
        return queue;
    }

    @Override
    public void wakeup() {
        mailbox.wakeup();
    }

    @Override
    public boolean hasFront() {
        return true;
    }

    @Override
    public CompletionQueue awaitInFront(int timeoutMillis) throws IOException {
        fault.check();
        return taken(mailbox.awaitInFront(timeoutMillis), true);
    }

    @Override
    public void wakeupInFront() {
        mailbox.wakeupInFront();
    }
}
