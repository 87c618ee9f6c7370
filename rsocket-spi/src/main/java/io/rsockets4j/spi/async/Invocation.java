/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.nio.channels.CompletionHandler;

/** A handler that could not be invoked where its operation completed. */
final class Invocation<V, A> extends Task {
    private final RAsynchronousChannelGroup group;
    private final CompletionHandler<V, ? super A> handler;
    private final A attachment;
    private final V result;
    private final Throwable failure;

    Invocation(RAsynchronousChannelGroup group, CompletionHandler<V, ? super A> handler, A attachment, V result,
            Throwable failure) {
        this.group = group;
        this.handler = handler;
        this.attachment = attachment;
        this.result = result;
        this.failure = failure;
    }

    @Override
    public void run() {
        GroupThread.forHandlersOf(group).invoke(handler, attachment, result, failure);
    }
}
