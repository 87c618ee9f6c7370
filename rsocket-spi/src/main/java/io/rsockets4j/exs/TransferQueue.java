/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Iterator;

/** The operations of one direction of a connected socket, oldest first. Under the socket's lock. */
abstract class TransferQueue {
    final SocketChannel channel;
    /** The same channel if bytes may go straight between buffers, which it lets go of when it closes; or null. */
    final RSocketChannel direct;
    final ArrayDeque<Event> pending = new ArrayDeque<>();
    private final EventQueue queue;
    private IOException failure;

    TransferQueue(SocketChannel channel, EventQueue queue) {
        this.channel = channel;
        direct = channel instanceof RSocketChannel ours ? ours : null;
        this.queue = queue;
    }

    /** Moves bytes until there are none, or nothing to do. */
    abstract void move() throws IOException;

    /** Lets bytes go straight between the peer's memory and that of an operation, if they do for those before it. */
    abstract boolean goesStraight(Event operation);

    /** Nothing is moved any more: the path is to let go of the memory of operations that wait. */
    abstract void letGo();

    /** Whether the channel's readiness matters. */
    boolean wants() {
        return !pending.isEmpty();
    }

    final void add(Event operation) {
        pending.add(operation);
        if (pending.size() == 1 || failure != null) {
            run();
        } else if (direct != null) {
            goStraight();
        }
    }

    /** Lets bytes go straight for as many operations that wait as the path can. */
    final void goStraight() {
        Iterator<Event> operations = pending.iterator();
        boolean goes = true;
        while (goes && operations.hasNext()) {
            goes = goesStraight(operations.next());
        }
    }

    final void run() {
        if (failure == null) {
            try {
                move();
            } catch (IOException e) {
                fail(e);
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
        failure = cause;
        if (direct != null && !pending.isEmpty()) {
            letGo();
        }
        while (!pending.isEmpty()) {
            end(pending.peek().data.position(), cause);
        }
    }
}
