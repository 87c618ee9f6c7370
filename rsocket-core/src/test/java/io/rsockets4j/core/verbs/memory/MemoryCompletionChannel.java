/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;

/** Collects the events of completion queues. */
final class MemoryCompletionChannel implements CompletionChannel {
    private final Mailbox<CompletionQueue> mailbox = new Mailbox<>();

    void announce(MemoryCompletionQueue queue) {
        mailbox.add(queue);
    }

    @Override
    public CompletionQueue await(int timeoutMillis) {
        return mailbox.await(timeoutMillis);
    }

    @Override
    public void wakeup() {
        mailbox.wakeup();
    }
}
