/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;

/** Collects the events of completion queues. */
final class MemoryCompletionChannel implements CompletionChannel {
    private final MemoryHost host;
    private final ChannelFault fault;
    private final Mailbox<CompletionQueue> mailbox = new Mailbox<>();

    MemoryCompletionChannel(MemoryHost host) {
        this.host = host;
        fault = host.completionFault();
        fault.add(mailbox::wakeup);
    }

    void announce(MemoryCompletionQueue queue) {
        mailbox.add(queue);
    }

    @Override
    public CompletionQueue await(int timeoutMillis) throws IOException {
        fault.check();
        CompletionQueue queue = mailbox.await(timeoutMillis);
        fault.check();
        if (queue != null) {
            host.eventTaken();
        }
        return queue;
    }

    @Override
    public void wakeup() {
        mailbox.wakeup();
    }
}
