/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;

/** A link as those see it who have all links of a device: {@link LinkTable}, {@link CompletionPoller}, and reports. */
interface ServedLink {
    /** What the queue pair's work requests have in their ids. */
    long tag();

    /** Serves a completion. On the thread that polls. */
    void completed(CompletionQueue queue, int index, long workRequest);

    /** Posts receives again, now that nobody waits for what has come. On the thread that polls. */
    void postDeferred();

    /** Nobody looks after a queue any more, or its device has gone. Means those whose completions it has. */
    void queueFailed(CompletionQueue failed, IOException cause);

    /** What reports say of this link. Any thread; takes locks for moments. */
    SessionSnapshot snapshot();

    /** The process ends: delivers what was accepted. */
    void deliver(long deadlineNanos);
}
