/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Moves bytes between a file and a channel through a large direct buffer. The JDK has a way without copies for its own
 * channels, and for all others one with small arrays, as slow as it is general. Thread-safe.
 */
final class FileTransfer {
    private static final int BUFFER_BYTES = 64 * 1024; // stays in a core's own cache between the two copies
    private static final int MAX_IDLE = 16;
    private static final ArrayBlockingQueue<ByteBuffer> IDLE = new ArrayBlockingQueue<>(MAX_IDLE);

    private FileTransfer() { }

    /** As {@link FileChannel#transferTo}, all arguments checked. */
    static long toChannel(FileChannel file, long position, long count, RSocketChannel target) throws IOException {
        if (target.stream() == null) {
            return toTcp(file, position, count, target);
        }
        return move(position, count, (buffer, at) -> {
            file.read(buffer, at);
            return target.write(buffer.flip());
        });
    }

    /** The JDK's way without copies, or what the JDK says of a channel that is not connected. */
    private static long toTcp(FileChannel file, long position, long count, RSocketChannel target) throws IOException {
        try {
            return file.transferTo(position, count, target.jdkSide());
        } catch (IOException e) {
            throw target.closedWith(e);
        }
    }

    /** As {@link FileChannel#transferFrom}, all arguments checked. */
    static long fromChannel(FileChannel file, RSocketChannel source, long position, long count) throws IOException {
        if (count == 0) {
            return 0; // nobody asks what state the channel is in
        }
        return move(position, count, (buffer, at) -> {
            source.read(buffer);
            return file.write(buffer.flip(), at);
        });
    }

    /** Fills the buffer as far as it goes and empties it. */
    private interface Step {
        int move(ByteBuffer buffer, long position) throws IOException;
    }

    /** Goes on until a step finds nothing or cannot get rid of all that it found. */
    private static long move(long position, long count, Step step) throws IOException {
        ByteBuffer idle = IDLE.poll();
        ByteBuffer buffer = idle != null ? idle : ByteBuffer.allocateDirect(BUFFER_BYTES);
        long moved = 0;
        try {
            int n;
            do {
                buffer.clear().limit((int) Math.min(count - moved, BUFFER_BYTES));
                n = step.move(buffer, position + moved);
                moved += n;
            } while (n > 0 && !buffer.hasRemaining() && moved < count);
            return moved;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            if (moved > 0) {
                return moved; // as the JDK: the failure comes again with the next call
            }
            throw e;
        } finally {
            IDLE.offer(buffer);
        }
    }
}
