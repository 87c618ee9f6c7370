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
        private long count = Long.MAX_VALUE; // the queue's count after its last byte
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

    private final ArrayDeque<Part> parts = new ArrayDeque<>(1);
    private int posted; // of them, the oldest
    private long arrived; // bytes of the stream up to the last one that was acknowledged

    /** Adds the next bytes of the stream. */
    Part add(long begin, int length) {
        Part part = new Part(begin, begin + length);
        parts.addLast(part);
        return part;
    }

    /** Bytes have been posted up to a position. Returns whether that was the end of a part. */
    boolean posted(long position, long count) {
        int index = 0;
        for (Part part : parts) {
            if (index++ == posted) {
                if (part.end != position) {
                    return false;
                }
                part.count = count;
                posted++;
                return true;
            }
        }
        return false;
    }

    /** So many work requests have been acknowledged. Returns whether the oldest part was among them, which is gone. */
    boolean acknowledged(long completed) {
        Part oldest = parts.peekFirst();
        if (oldest == null || oldest.count > completed) {
            return false;
        }
        parts.removeFirst();
        posted--;
        arrived = oldest.end;
        oldest.acknowledge(oldest.end);
        return true;
    }

    /** Whether nothing is under way. */
    boolean isEmpty() {
        return parts.isEmpty();
    }

    /**
     * Where the stream goes on if only so many bytes have arrived, and no more do: all parts end. There is one or more,
     * and nothing behind them.
     */
    long end(long position, long tail) {
        Part oldest = parts.peekFirst();
        arrived = Math.min(tail, Math.max(position, oldest.begin));
        for (Part part : parts) {
            part.acknowledge(position);
        }
        parts.clear();
        posted = 0;
        return arrived;
    }

    /** Bytes of the stream up to the last one that is with the program again. */
    long arrived() {
        return arrived;
    }
}
