/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flight recording of a program with the agent. */
class FlightRecorderIT {

    @TempDir
    private Path directory;

    @Test
    void shouldHoldTheLifeOfEachConnection() throws Exception {
        List<RecordedEvent> events = record("paths=shm");
        assertThat(events).extracting(event -> event.getEventType().getName()).containsExactlyInAnyOrder(
                "rsockets4j.Connect", "rsockets4j.Accept", "rsockets4j.Close", "rsockets4j.Close");
        assertThat(events).allSatisfy(event -> assertThat(event.getString("path")).isEqualTo("shm"));
        assertThat(events).filteredOn(event -> event.hasField("bytesSent"))
                .extracting(event -> event.getLong("bytesSent") + event.getLong("bytesReceived"))
                .containsExactly(8L, 8L);
    }

    private List<RecordedEvent> record(String arguments) throws Exception {
        Path file = directory.resolve("program.jfr");
        try (ForkedJvm program = ForkedJvm.start("-XX:StartFlightRecording=filename=" + file,
                ForkedJvm.agent(arguments), "io.rsockets4j.agent.programs.HeldConnection")) {
            program.goOn();
            ForkedJvm.Result result = program.result();
            assertThat(result.exit()).as(result.err()).isZero();
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("rsockets4j.")).toList();
    }
}
