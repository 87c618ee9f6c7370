/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Blocking reads and writes over links, as the socket doors do them, with a limit that shows a lost wake-up. */
public final class Streams {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private Streams() { }

    /** Sends all of a buffer. */
    public static void write(Link link, ByteBuffer src) throws IOException {
        while (src.hasRemaining()) {
            link.lend(src, null);
            if (link.send(src) == 0) {
                await(link, OP_WRITE);
            }
        }
    }

    /** Receives until a buffer is full. */
    public static ByteBuffer read(Link link, ByteBuffer dst) throws IOException {
        while (dst.hasRemaining()) {
            if (readSome(link, dst) == Link.EOF) {
                throw new EOFException("end after " + dst.position() + " of " + dst.limit() + " bytes");
            }
        }
        return dst.flip();
    }

    /** Receives at least a byte, or the end. */
    public static int readSome(Link link, ByteBuffer dst) throws IOException {
        for (;;) {
            int read = link.receive(dst);
            if (read != 0) {
                return read;
            }
            if (dst.remaining() >= link.directMinBytes()) {
                link.offer(dst, false);
            }
            await(link, OP_READ);
        }
    }

    public static int readByte(Link link) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        return readSome(link, one) == Link.EOF ? Link.EOF : one.get(0);
    }

    public static void writeByte(Link link, int value) throws IOException {
        write(link, ByteBuffer.wrap(new byte[] {(byte) value}));
    }

    private static void await(Link link, int op) {
        long started = System.nanoTime();
        while (!link.await(op, started + LIMIT_NANOS)) {
            if (link.isReady(op)) {
                return;
            }
            if (System.nanoTime() - started > LIMIT_NANOS) {
                throw new AssertionError("nobody woke " + Thread.currentThread().getName() + ", op " + op);
            }
        }
    }
}
