/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ClientLink;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The client of an {@link EchoSession}: one message out, the same message back, each with a stamp at its end. */
final class EchoClient implements Closeable {
    /** What a histogram of latencies yields. */
    static final List<Figure> METRICS = List.of(
            Figure.headline("p50", Unit.NANOSECONDS),
            Figure.beside("p99", Unit.NANOSECONDS),
            Figure.beside("p99.9", Unit.NANOSECONDS));

    static final long LONGEST_NS = 60_000_000_000L;

    private final ClientLink link;
    private final ByteBuffer request;
    private final ByteBuffer reply;
    private final int stampIndex;
    private long stamp;

    EchoClient(Job job, ClientConnector connector, int port) throws IOException {
        request = job.api().allocate(job.sizeBytes());
        reply = job.api().allocate(job.sizeBytes());
        stampIndex = job.sizeBytes() - Long.BYTES;
        link = connector.connect(port);
    }

    /** Makes a histogram for latencies in nanoseconds. */
    static Histogram latencies() {
        return new Histogram(LONGEST_NS, 3);
    }

    /** Reads the figures off a histogram of nanoseconds. */
    static Map<String, Double> figures(Histogram histogram) {
        return Map.of(
                "p50", (double) histogram.getValueAtPercentile(50),
                "p99", (double) histogram.getValueAtPercentile(99),
                "p99.9", (double) histogram.getValueAtPercentile(99.9));
    }

    /** Sends a message and waits for all of its echo. */
    void exchange() throws IOException {
        stamp++;
        request.clear();
        request.putLong(stampIndex, stamp);
        link.write(request);
        reply.clear();
        link.readFully(reply);
        if (reply.getLong(stampIndex) != stamp) {
            throw new CorruptionException("sent message " + stamp + ", got back " + reply.getLong(stampIndex));
        }
    }

    /** Exchanges messages without a pause. */
    void exchangeFor(long durationNs, Histogram latencies) throws IOException {
        long start = System.nanoTime();
        long end;
        do {
            long sent = System.nanoTime();
            exchange();
            end = System.nanoTime();
            latencies.recordValue(Math.min(end - sent, LONGEST_NS));
        } while (end - start < durationNs);
    }

    @Override
    public void close() throws IOException {
        link.close();
    }
}
