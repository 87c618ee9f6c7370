/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/** The operations of one direction of a connected socket, oldest first. Under the socket's lock. */
abstract class TransferQueue {
    final SocketChannel channel;
    final ArrayDeque<Event> pending = new ArrayDeque<>();
    private final EventQueue queue;
    private IOException failure;

    TransferQueue(SocketChannel channel, EventQueue queue) {
        this.channel = channel;
        this.queue = queue;
    }

    /** Moves bytes until there are none, or nothing to do. */
    abstract void move() throws IOException;

    /** Whether the channel's readiness matters. */
    boolean wants() {
        return !pending.isEmpty();
    }

    /** Whether an operation matters that is not the oldest. */
    boolean runsAtOnce() {
        return false;
    }

    /** Nothing is moved any more, and pending operations are about to end. */
    void failed() { }

    /** Why nothing is moved any more, or null. */
    final IOException failure() {
        return failure;
    }

    final void add(Event operation) {
        pending.add(operation);
        if (pending.size() == 1 || runsAtOnce() || failure != null) {
            run();
        }
    }

    final void run() {
        if (failure == null) {
            try {
                move();
            } catch (IOException e) {
                fail(e);
            } catch (InternalError e) { // a fault: somebody has truncated a region
                fail((IOException) new SocketException("Connection reset: shared memory is not there any more")
                        .initCause(e));
            }
        } else {
            fail(failure);
        }
    }

    /** Ends the oldest operation. */
    final void end(int bytes, IOException cause) {
        queue.add(pending.poll().ended(bytes, null, cause));
    }

    /** Ends all, and all that come later. */
    final void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
            failed();
        }
        while (!pending.isEmpty()) {
            end(pending.peek().data.position(), cause);
        }
    }
}
