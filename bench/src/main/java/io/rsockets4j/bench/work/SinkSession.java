/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ServerSession;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Swallows streams. Each starts with a {@link Header}; when all its bytes have come, one byte goes back.
 * A header that asks for the report is answered with the last stream's time and checksum.
 */
final class SinkSession implements ServerSession {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final ByteBuffer buffer;
    private final ByteBuffer header = ByteBuffer.allocate(Long.BYTES);
    private final ByteBuffer acknowledgement;
    private final ByteBuffer report;
    private final CRC32C crc = new CRC32C();
    private Header stream;
    private long remainingBytes;
    private long startNs;
    private long elapsedNs;

    SinkSession(Job job) {
        buffer = job.api().allocate(BUFFER_BYTES);
        acknowledgement = job.api().allocate(1);
        report = job.api().allocate(Header.REPORT_BYTES);
    }

    @Override
    public ByteBuffer target() {
        return buffer.clear();
    }

    @Override
    public ByteBuffer received() {
        buffer.flip();
        if (remainingBytes == 0) {
            while (header.hasRemaining() && buffer.hasRemaining()) {
                header.put(buffer.get());
            }
            return header.hasRemaining() ? NOTHING : begin();
        }
        return consume();
    }

    private ByteBuffer begin() {
        stream = Header.decode(header.getLong(0));
        header.clear();
        if (stream.kind() == Header.Kind.REPORT) {
            return report.clear().putLong(elapsedNs).putLong(crc.getValue()).flip();
        }
        crc.reset();
        remainingBytes = stream.lengthBytes();
        startNs = System.nanoTime();
        return consume();
    }

    private ByteBuffer consume() {
        remainingBytes -= buffer.remaining();
        if (stream.kind() == Header.Kind.CHECKED) {
            crc.update(buffer);
        }
        if (remainingBytes > 0) {
            return NOTHING;
        }
        elapsedNs = System.nanoTime() - startNs;
        return acknowledgement.clear();
    }

    /**
     * What announces a stream: eight bytes, the kind in the topmost and the length in the others.
     *
     * @param kind what to do with the stream
     * @param lengthBytes how many bytes follow the header
     */
    record Header(Kind kind, long lengthBytes) {
        /** The length of the answer to {@link Kind#REPORT}: nanoseconds and CRC32C, a long each. */
        static final int REPORT_BYTES = 2 * Long.BYTES;

        private static final int KIND_SHIFT = 56;
        private static final Kind[] KINDS = Kind.values();

        /** What to do with the bytes that follow. */
        enum Kind {
            /** Count them. */
            PLAIN,
            /** Count them and compute their checksum. */
            CHECKED,
            /** None follow: tell about the last stream. */
            REPORT
        }

        long encode() {
            return (long) kind.ordinal() << KIND_SHIFT | lengthBytes;
        }

        static Header decode(long bits) {
            return new Header(KINDS[(int) (bits >>> KIND_SHIFT)], bits & (1L << KIND_SHIFT) - 1);
        }
    }
}
