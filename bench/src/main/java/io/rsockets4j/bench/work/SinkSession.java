/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Session;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Swallows streams. Each starts with a {@link StreamHeader}; when all its bytes have come, one byte goes back.
 * A header that asks for the report is answered with the last stream's time and checksum.
 */
final class SinkSession implements Session {

    private static final int BUFFER_BYTES = 64 * 1024;

    private final ByteBuffer buffer;
    private final ByteBuffer header = ByteBuffer.allocate(Long.BYTES);
    private final ByteBuffer acknowledgement;
    private final ByteBuffer report;
    private final CRC32C crc = new CRC32C();
    private StreamHeader stream;
    private long remainingBytes;
    private long startNs;
    private long elapsedNs;

    SinkSession(Job job) {
        buffer = job.api().allocate(BUFFER_BYTES);
        acknowledgement = job.api().allocate(1);
        report = job.api().allocate(StreamHeader.REPORT_BYTES);
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
        stream = StreamHeader.decode(header.getLong(0));
        header.clear();
        if (stream.kind() == StreamHeader.Kind.REPORT) {
            return report.clear().putLong(elapsedNs).putLong(crc.getValue()).flip();
        }
        crc.reset();
        remainingBytes = stream.lengthBytes();
        startNs = System.nanoTime();
        return consume();
    }

    private ByteBuffer consume() {
        remainingBytes -= buffer.remaining();
        if (stream.kind() == StreamHeader.Kind.CHECKED) {
            crc.update(buffer);
        }
        if (remainingBytes > 0) {
            return NOTHING;
        }
        elapsedNs = System.nanoTime() - startNs;
        return acknowledgement.clear();
    }
}
