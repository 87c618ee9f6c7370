/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.stat.ConnectionSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a recording of this process holds. */
@Timeout(60)
class FlightEventsTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTellWhatAConnectionSentAndReceived() throws IOException {
        RecordedEvent closed = record(() -> FlightEvents.closed(() -> new ConnectionSnapshot(1, "connect", "/a:1",
                "/b:2", "rdma", "0 preferred", 10, 20, 4096, 3, 5, 9, 19)));
        assertThat(closed.getEventType().getName()).isEqualTo("rsockets4j.Close");
        assertThat(closed.getString("path")).isEqualTo("rdma");
        assertThat(List.of("bytesSent", "bytesReceived", "directBytesSent", "directBytesReceived", "stalls"))
                .map(closed::getLong).containsExactly(10L, 20L, 9L, 19L, 3L);
    }

    /** The one event of ours that something causes. */
    private RecordedEvent record(Runnable cause) throws IOException {
        Path file = directory.resolve("test.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            cause.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("rsockets4j.")).toList();
        assertThat(events).hasSize(1);
        return events.get(0);
    }
}
