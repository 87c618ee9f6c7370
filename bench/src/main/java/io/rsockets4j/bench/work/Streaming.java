/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ServerSession;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Messages one way, as fast as they go. */
final class Streaming extends Work {
    private static final long VERIFIED_BYTES = 4 * 1024 * 1024;
    private static final long FIRST_RUN_BYTES = 256 * 1024;
    private static final long LONG_ENOUGH_NS = 40_000_000;

    Streaming() {
        super("stream", "stream",
                "One connection, messages one way, the receiver reads into a buffer of 64 KiB. First 4 MiB of random"
                        + " contents, whose CRC32C must be the same at both ends; then runs of growing length to warm"
                        + " up; then the measured run, which ends when the receiver has acknowledged the last byte with"
                        + " one byte.",
                List.of(64, 4 * 1024, 64 * 1024, 1024 * 1024),
                List.of(
                        Figure.headline("bytes", Unit.BYTES_PER_SECOND),
                        Figure.beside("messages", Unit.PER_SECOND),
                        Figure.detail("bytes at the receiver", Unit.BYTES_PER_SECOND)));
    }

    @Override
    public ServerSession session(Job job) {
        return new SinkSession(job);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException {
        Job job = stage.job();
        try (ClientConnector connector = stage.api().connector();
                StreamClient client = new StreamClient(job, connector, stage.port())) {
            client.verify(VERIFIED_BYTES / job.sizeBytes());
            double messagesPerNs = warmUp(client::send, job);
            long messages = Math.max(1, (long) (messagesPerNs * job.measured().toNanos()));
            double seconds = client.send(messages) / 1e9;
            double bytes = (double) messages * job.sizeBytes();
            return Map.of(
                    "bytes", bytes / seconds,
                    "messages", messages / seconds,
                    "bytes at the receiver", bytes / (client.receiverNs() / 1e9));
        }
    }

    /**
     * A stream of some messages.
     *
     * @param <E> why it can fail, besides
     */
    interface Run<E extends Exception> {
        /** Sends so many and waits until they have come. Returns the time that this took, in nanoseconds. */
        long send(long messages) throws IOException, E;
    }

    /**
     * Doubles the run until it is long enough to tell the rate, and repeats it while there is time. Returns messages in
     * a nanosecond.
     */
    static <E extends Exception> double warmUp(Run<E> client, Job job) throws IOException, E {
        long start = System.nanoTime();
        long messages = Math.max(1, FIRST_RUN_BYTES / job.sizeBytes());
        long elapsedNs = client.send(messages);
        while (elapsedNs < LONG_ENOUGH_NS
                || System.nanoTime() - start < job.warmUp().toNanos()) {
            messages = elapsedNs < LONG_ENOUGH_NS ? 2 * messages : messages;
            elapsedNs = client.send(messages);
        }
        return (double) messages / elapsedNs;
    }
}
