/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.SessionSnapshot;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a recording of this process holds. */
@Timeout(60)
class FlightEventsTest {
    @Test
    void shouldTellWhatAConnectionSentAndReceived() throws Exception {
        RecordedEvent closed = record("Close", () -> FlightEvents.closed(FlightEventsTest::connection));
        assertThat(closed.getString("path")).isEqualTo("rdma");
        assertThat(List.of("bytesSent", "bytesReceived", "directBytesSent", "directBytesReceived", "stalls"))
                .map(closed::getLong).containsExactly(10L, 20L, 9L, 19L, 3L);
    }

    @Test
    void shouldTellWhereALinkWasAndWhyItEnded() throws Exception {
        SessionSnapshot link = new SessionSnapshot(4, "/a:1", "/b:2", "rxe0", 1, 3, "up", 7, 250, 65_536, 5);
        RecordedEvent up = record("LinkUp", () -> FlightEvents.linkUp(() -> link));
        RecordedEvent down = record("LinkDown", () -> FlightEvents.linkDown(() -> link, "a cable was cut"));
        assertThat(List.of(up, down)).allSatisfy(event -> {
            assertThat(List.of("local", "remote", "device")).map(event::getString)
                    .containsExactly("/a:1", "/b:2", "rxe0");
            assertThat(List.of("port", "gid")).map(event::getInt).containsExactly(1, 3);
        });
        assertThat(down.getString("reason")).isEqualTo("a cable was cut");
        assertThat(down.getInt("connections")).isEqualTo(7);
        assertThat(down.getLong("pinnedBytes")).isEqualTo(65_536);
    }

    /** To look costs a connect as much again. */
    @Test
    void shouldNotLookAtAConnectionWhoseEventNoRecordingWants() {
        AtomicInteger looks = new AtomicInteger();
        try (Recording recording = new Recording()) {
            recording.disable("rsockets4j.Connect");
            recording.start();
            FlightEvents.connected(() -> look(looks), false);
            assertThat(looks).hasValue(0);
            FlightEvents.accepted(() -> look(looks));
            assertThat(looks).hasValue(1);
        }
    }

    private static ConnectionSnapshot look(AtomicInteger looks) {
        looks.incrementAndGet();
        return connection();
    }

    /** Once the recorder has been told, in later recordings too. */
    @Test
    void shouldTellInEachRecordingWhatServesTheProcess() throws Exception {
        FlightEvents.serving(() -> "rsockets4j 1.2, paths=tcp");
        assertThat(served(() -> FlightEvents.accepted(FlightEventsTest::connection)))
                .isNotEmpty().containsOnly("rsockets4j 1.2, paths=tcp");
        assertThat(served(() -> FlightEvents.isRecording())).isNotEmpty().containsOnly("rsockets4j 1.2, paths=tcp");
    }

    private static List<String> served(Recorded.Task task) throws Exception {
        return Recorded.allDuring(task).stream().filter(event -> Recorded.name(event).equals("Process"))
                .map(event -> event.getString("served")).toList();
    }

    private static ConnectionSnapshot connection() {
        return new ConnectionSnapshot(1, "connect", "/a:1", "/b:2", "rdma", "0 preferred", 10, 20, 4096, 3, 5, 9, 19);
    }

    private static RecordedEvent record(String name, Recorded.Task task) throws Exception {
        List<RecordedEvent> events = Recorded.during("/a:1", task);
        assertThat(events).map(Recorded::name).containsExactly(name);
        return events.get(0);
    }
}
