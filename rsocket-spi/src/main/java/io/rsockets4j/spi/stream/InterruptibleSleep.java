/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.core.fabric.Link;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * A sleep that an interrupt ends without closing the channel, which is what {@code Future.get} needs. The JDK tells
 * only interruptible channels of interrupts, so this is one, for one sleep.
 */
final class InterruptibleSleep extends AbstractInterruptibleChannel {
    private final Link link;

    InterruptibleSleep(Link link) {
        this.link = link;
    }

    /** As {@link Link#sleep}; an interrupt ends it, and leaves the thread's status set. */
    void sleep(int op, long deadlineNanos) {
        begin();
        try {
            if (isOpen()) {
                link.sleep(op, deadlineNanos);
            }
        } finally {
            endQuietly();
        }
    }

    private void endQuietly() {
        try {
            end(true);
        } catch (AsynchronousCloseException e) {
            return; // interrupted: the caller looks at the status
        }
    }

    @Override
    protected void implCloseChannel() {
        link.wake();
    }
}
