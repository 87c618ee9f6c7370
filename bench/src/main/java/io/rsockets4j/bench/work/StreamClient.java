/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ClientLink;
import io.rsockets4j.bench.work.SinkSession.Header;
import io.rsockets4j.bench.work.SinkSession.Header.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** The client of a {@link SinkSession}. */
final class StreamClient implements Closeable {
    private static final long SEED = 0x5eed;

    private final ClientLink link;
    private final ByteBuffer message;
    private final ByteBuffer header;
    private final ByteBuffer acknowledgement;
    private final ByteBuffer report;

    StreamClient(Job job, ClientConnector connector, int port) throws IOException {
        message = job.api().allocate(job.sizeBytes());
        header = job.api().allocate(Long.BYTES);
        acknowledgement = job.api().allocate(1);
        report = job.api().allocate(Header.REPORT_BYTES);
        link = connector.connect(port);
    }

    /**
     * Sends messages and waits for the acknowledgement of the last byte.
     *
     * @param messages how many
     * @return the time that this took, in nanoseconds
     */
    long send(long messages) throws IOException {
        long start = System.nanoTime();
        announce(Kind.PLAIN, messages * message.capacity());
        for (long i = 0; i < messages; i++) {
            link.write(message.clear());
        }
        link.readFully(acknowledgement.clear());
        return System.nanoTime() - start;
    }

    /**
     * Sends messages with random contents and compares the checksums of both ends.
     *
     * @param messages how many
     */
    void verify(long messages) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        CRC32C crc = new CRC32C();
        byte[] contents = new byte[message.capacity()];
        announce(Kind.CHECKED, messages * contents.length);
        for (long i = 0; i < messages; i++) {
            random.nextBytes(contents);
            crc.update(contents);
            link.write(message.clear().put(contents).flip());
        }
        link.readFully(acknowledgement.clear());
        long received = report().getLong(Long.BYTES);
        if (received != crc.getValue()) {
            throw new CorruptionException("CRC32C of " + messages + " messages of " + contents.length + " bytes: sent "
                    + Long.toHexString(crc.getValue()) + ", received " + Long.toHexString(received));
        }
    }

    /**
     * Asks how long the last stream took at the other end: the time from the receiver's first byte to its last, in
     * nanoseconds.
     */
    long receiverNs() throws IOException {
        return report().getLong(0);
    }

    private ByteBuffer report() throws IOException {
        announce(Kind.REPORT, 0);
        link.readFully(report.clear());
        return report;
    }

    private void announce(Kind kind, long lengthBytes) throws IOException {
        header.clear().putLong(new Header(kind, lengthBytes).encode()).flip();
        link.write(header);
    }

    @Override
    public void close() throws IOException {
        link.close();
    }
}
