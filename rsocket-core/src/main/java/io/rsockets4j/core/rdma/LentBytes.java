/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.ArrayDeque;

/**
 * What of a stream goes straight from the program's memory, oldest first, until the peer's device has it. Guarded by
 * the lock of the {@link SendQueue}, but for what a part says of itself.
 */
final class LentBytes {
    /** Part of a stream, in one piece of memory. */
    static final class Part {
        private final long begin; // bytes of the stream before it
        private final long end;
        private long count; // the queue's count after its last byte, once that is posted
        private int arrived;
        private volatile boolean acknowledged; // written after arrived

        private Part(long begin, long end) {
            this.begin = begin;
            this.end = end;
        }

        int length() {
            return (int) (end - begin);
        }

        /** Whether the device reads the memory no more. Any thread. */
        boolean isAcknowledged() {
            return acknowledged;
        }

        /** How many of its bytes the peer has, once acknowledged: all, unless another link has taken over. */
        int arrived() {
            return arrived;
        }

        private void acknowledge(long position) {
            arrived = (int) Math.min(Math.max(position - begin, 0), end - begin);
            acknowledged = true; // volatile store: pairs with isAcknowledged, after which the memory is free
        }
    }

    private final ArrayDeque<Part> due = new ArrayDeque<>(1); // not all of it is posted
    private final ArrayDeque<Part> posted = new ArrayDeque<>(1); // before those that are due
    private long arrived; // bytes of the stream up to the last one that was acknowledged

    /** Adds the next bytes of the stream. */
    Part add(long begin, int length) {
        Part part = new Part(begin, begin + length);
        due.addLast(part);
        return part;
    }

    /** Bytes have been posted up to a position. Returns whether that was the end of a part. */
    boolean posted(long position, long count) {
        Part part = due.peekFirst();
        if (part == null || part.end != position) {
            return false;
        }
        part.count = count;
        posted.addLast(due.removeFirst());
        return true;
    }

    /** So many work requests have been acknowledged. Returns whether the oldest part was among them, which is gone. */
    boolean acknowledged(long completed) {
        Part oldest = posted.peekFirst();
        if (oldest == null || oldest.count > completed) {
            return false;
        }
        posted.removeFirst();
        arrived = oldest.end;
        oldest.acknowledge(oldest.end);
        return true;
    }

    /** Whether nothing is under way. */
    boolean isEmpty() {
        return due.isEmpty() && posted.isEmpty();
    }

    /**
     * Where the stream goes on if only so many bytes have arrived, and no more do: all parts end. There is one or more,
     * and nothing behind them.
     */
    long end(long position, long tail) {
        posted.addAll(due);
        due.clear();
        arrived = Math.min(tail, Math.max(position, posted.getFirst().begin));
        for (Part part : posted) {
            part.acknowledge(position);
        }
        posted.clear();
        return arrived;
    }

    /** Bytes of the stream up to the last one that is with the program again. */
    long arrived() {
        return arrived;
    }
}
