/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.CompletionHandler;

/**
 * A thread while it works for a group. Handlers of that group's channels may be invoked on it directly, from within the
 * call that begins a read or a write, as long as not too many of them are on its stack.
 */
final class GroupThread {
    /** The JDK's own property and default. */
    private static final int MAX_DEPTH =
            Math.max(1, Integer.getInteger("sun.nio.ch.maxCompletionHandlersOnStack", 16));
    private static final ThreadLocal<GroupThread> CURRENT = new ThreadLocal<>();

    private final AsynchronousChannelGroup group;
    private int depth;

    private GroupThread(AsynchronousChannelGroup group) {
        this.group = group;
    }

    /** Runs something on the calling thread, as one of a group's. */
    static void run(AsynchronousChannelGroup group, Runnable work) {
        GroupThread before = CURRENT.get(); // not null where an executor runs what it is given on the calling thread
        CURRENT.set(new GroupThread(group));
        try {
            work.run();
        } finally {
            CURRENT.set(before);
        }
    }

    /** The calling thread, if it works for that group and has room for one more handler; or else null. */
    static GroupThread forHandlersOf(AsynchronousChannelGroup group) {
        GroupThread here = CURRENT.get();
        return here != null && here.group == group && here.depth < MAX_DEPTH ? here : null;
    }

    /** Invokes a handler. What it throws goes to whoever made this thread do so. */
    <V, A> void invoke(CompletionHandler<V, ? super A> handler, A attachment, V result, Throwable failure) {
        depth++;
        try {
            if (failure == null) {
                handler.completed(result, attachment);
            } else {
                handler.failed(failure, attachment);
            }
        } finally {
            depth--;
        }
    }
}
