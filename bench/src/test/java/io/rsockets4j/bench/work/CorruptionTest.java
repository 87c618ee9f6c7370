/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ClientLink;
import io.rsockets4j.bench.net.ServerSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The checks of contents, over a connection that is a pair of buffers and can be made to damage what it carries. */
class CorruptionTest {

    private static final Job STREAM = job(Works.of("stream"));
    private static final Job ROUND_TRIP = job(Works.of("roundtrip"));

    @Test
    void shouldAcceptWhatArrivesAsSent() throws IOException {
        try (StreamClient client = new StreamClient(STREAM, connector(new SinkSession(STREAM), -1), 0)) {
            client.verify(1_000);
            assertThat(client.send(1_000)).isPositive();
            assertThat(client.receiverNs()).isPositive();
        }
    }

    @Test
    void shouldNoticeOneWrongBitOfAStream() throws IOException {
        try (StreamClient client = new StreamClient(STREAM, connector(new SinkSession(STREAM), 5_000), 0)) {
            assertThatExceptionOfType(CorruptionException.class)
                    .isThrownBy(() -> client.verify(1_000))
                    .withMessageStartingWith("CRC32C of 1000 messages of 100 bytes");
        }
    }

    @Test
    void shouldNoticeAWrongEcho() throws IOException {
        try (EchoClient client = new EchoClient(ROUND_TRIP, connector(new EchoSession(ROUND_TRIP), 199), 0)) {
            client.exchange();
            assertThatExceptionOfType(CorruptionException.class).isThrownBy(client::exchange);
        }
    }

    private static Job job(Work work) {
        return new Job(work, Api.NIO, 100, Duration.ofMillis(1), Duration.ofMillis(1));
    }

    private static ClientConnector connector(ServerSession session, long damagedByte) {
        return port -> new LocalLink(session, damagedByte);
    }

    /** Hands what is written to a session in pieces of awkward length, and keeps its answers to be read. */
    private static final class LocalLink implements ClientLink {

        private static final int PIECE = 7;

        private final ServerSession session;
        private final ByteBuffer answers = ByteBuffer.allocate(1 << 20);
        private final long damagedByte;
        private long carried;

        LocalLink(ServerSession session, long damagedByte) {
            this.session = session;
            this.damagedByte = damagedByte;
        }

        @Override
        public void write(ByteBuffer source) {
            while (source.hasRemaining()) {
                ByteBuffer target = session.target();
                for (int i = 0; i < PIECE && target.hasRemaining() && source.hasRemaining(); i++) {
                    byte next = source.get();
                    target.put(carried++ == damagedByte ? (byte) (next ^ 1) : next);
                }
                answers.put(session.received());
            }
        }

        @Override
        public int read(ByteBuffer target) {
            answers.flip();
            int count = Math.min(target.remaining(), answers.remaining());
            target.put(answers.slice(0, count));
            answers.position(count).compact();
            return count;
        }

        @Override
        public void close() {
            answers.clear();
        }
    }
}
