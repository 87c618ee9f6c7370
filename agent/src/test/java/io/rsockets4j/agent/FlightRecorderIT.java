/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A flight recording of a program with the agent. */
class FlightRecorderIT {

    @TempDir
    private Path directory;

    @Test
    void shouldHoldTheLifeOfEachConnection() throws Exception {
        List<RecordedEvent> all = record("", "paths=shm", "HeldConnection");
        assertThat(named("Process", all)).isNotEmpty().allSatisfy(event ->
                assertThat(event.getString("served")).startsWith("rsockets4j ").endsWith(", paths=shm"));
        List<RecordedEvent> events = all.stream().filter(event -> event.hasField("path")).toList();
        assertThat(events).extracting(event -> event.getEventType().getName()).containsExactlyInAnyOrder(
                "rsockets4j.Connect", "rsockets4j.Accept", "rsockets4j.Close", "rsockets4j.Close");
        assertThat(events).allSatisfy(event -> assertThat(event.getString("path")).isEqualTo("shm"));
        assertThat(events).filteredOn(event -> event.hasField("bytesSent"))
                .extracting(event -> event.getLong("bytesSent") + event.getLong("bytesReceived"))
                .containsExactly(8L, 8L);
        assertThat(named("Close", events)).as("over shm all goes by the ring").allSatisfy(event ->
                assertThat(event.getLong("directBytesSent") + event.getLong("directBytesReceived")).isZero());
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "selector"})
    void shouldTellOfALongWaitToSend(String how) throws Exception {
        List<RecordedEvent> stalls = named("Stall", record("", "paths=shm", "StalledWriter", how));
        assertThat(stalls).isNotEmpty().allSatisfy(stall -> {
            assertThat(stall.getDuration()).isGreaterThan(Duration.ofMillis(20));
            assertThat(stall.getString("path")).isEqualTo("shm");
            assertThat(stall.getString("local")).startsWith("/127.0.0.1:");
        });
        assertThat(stalls).as("the pause").anyMatch(stall -> stall.getDuration().toMillis() >= 100);
        assertThat(stalls).as("who waits").anyMatch(stall -> stall.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getType().getName().endsWith(".StalledWriter")));
    }

    @Test
    void shouldTellOfDoorbellsOnlyIfAskedTo() throws Exception {
        assertThat(named("Doorbell", record("", "paths=shm,spin.micros=0", "StalledWriter"))).isEmpty();
        Path settings = Files.writeString(directory.resolve("doorbells.jfc"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <configuration version="2.0">
                  <event name="rsockets4j.Doorbell"><setting name="enabled">true</setting></event>
                  <event name="rsockets4j.Stall"><setting name="threshold">10 s</setting></event>
                </configuration>
                """);
        List<RecordedEvent> events = record(",settings=" + settings, "paths=shm,spin.micros=0", "StalledWriter");
        assertThat(named("Doorbell", events)).isNotEmpty();
        assertThat(named("Stall", events)).as("none took so long").isEmpty();
    }

    private static List<RecordedEvent> named(String name, List<RecordedEvent> events) {
        return events.stream().filter(event -> event.getEventType().getName().equals("rsockets4j." + name)).toList();
    }

    private List<RecordedEvent> record(String options, String agent, String program, String... arguments)
            throws Exception {
        Path file = directory.resolve("program.jfr");
        List<String> command = new ArrayList<>(List.of("-XX:StartFlightRecording=filename=" + file + options,
                ForkedJvm.agent(agent), "io.rsockets4j.agent.programs." + program));
        command.addAll(List.of(arguments));
        try (ForkedJvm jvm = ForkedJvm.start(command.toArray(String[]::new))) {
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).as(result.err()).isZero();
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("rsockets4j.")).toList();
    }
}
