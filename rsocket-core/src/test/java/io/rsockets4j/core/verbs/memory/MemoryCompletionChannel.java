/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;

/** Collects the events of completion queues. */
final class MemoryCompletionChannel implements CompletionChannel {
    private final MemoryHost host;
    private final Mailbox<CompletionQueue> mailbox;
    private final Mailbox.Place place = new Mailbox.Place();

    MemoryCompletionChannel(MemoryHost host) {
        this(host, new Mailbox<>());
    }

    private MemoryCompletionChannel(MemoryHost host, Mailbox<CompletionQueue> mailbox) {
        this.host = host;
        this.mailbox = mailbox;
        host.completionFault().add(this::wakeup);
    }

    void announce(MemoryCompletionQueue queue) {
        mailbox.add(queue);
    }

    @Override
    public CompletionQueue await(int timeoutMillis) throws IOException {
        host.completionFault().check();
        CompletionQueue queue = mailbox.await(place, timeoutMillis);
        if (queue != null) {
            host.eventTaken(Thread.currentThread());
        }
        host.completionFault().check();
        return queue;
    }

    @Override
    public void wakeup() {
        mailbox.wakeup(place);
    }

    @Override
    public CompletionChannel twin() {
        return new MemoryCompletionChannel(host, mailbox);
    }
}
