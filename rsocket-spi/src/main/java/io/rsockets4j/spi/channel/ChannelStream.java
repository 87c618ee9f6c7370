/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.spi.stream.LinkStream;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;

/** A connected link as its channel uses it: an interrupt closes the channel. */
final class ChannelStream extends LinkStream {
    private final RSocketChannel owner;

    ChannelStream(RSocketChannel owner, Link link) {
        super(link);
        this.owner = owner;
    }

    @Override
    protected boolean isBlocking() {
        return owner.isInBlockingMode();
    }

    /** What the JDK does when a thread enters a blocking call with its interrupt status set. */
    @Override
    protected void enter() throws AsynchronousCloseException {
        if (Thread.currentThread().isInterrupted() && owner.isInBlockingMode() && owner.isOpen()) {
            owner.beginWait();
            owner.endWait(false);
        }
    }

    @Override
    protected void await(int op, long deadlineNanos) {
        if (!link().spin(op)) {
            owner.beginWait();
            link().sleep(op, deadlineNanos);
        } else if (Thread.currentThread().isInterrupted()) {
            owner.beginWait(); // closes the channel
        }
    }

    @Override
    protected boolean takeInterrupt() {
        return false; // it has closed the channel
    }

    @Override
    protected void endWait(boolean done, boolean interrupted) throws AsynchronousCloseException {
        owner.endWait(done);
    }

    @Override
    protected boolean repeatsEnd() {
        return false;
    }

    @Override
    protected ClosedChannelException closed() {
        return new ClosedChannelException();
    }

    @Override
    protected ClosedChannelException outputShut() {
        return new AsynchronousCloseException(); // as the JDK
    }

    @Override
    protected ClosedChannelException streamShut() {
        return closed();
    }

    @Override
    protected IOException writeFailed(IOException cause) {
        return cause;
    }
}
