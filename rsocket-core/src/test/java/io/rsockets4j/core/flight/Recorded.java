/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What happens in this process while it records. */
public final class Recorded {
    private Recorded() { }

    /** Something to record. */
    public interface Task {
        /** Does it. */
        void run() throws Exception;
    }

    /** The events of ours with an address at one end, in the order of their times: other tests' links may end too. */
    public static List<RecordedEvent> during(String address, Task task) throws Exception {
        return at(address, during(task));
    }

    /** All events of connections and links, in the order of their times. */
    public static List<RecordedEvent> during(Task task) throws Exception {
        return allDuring(task).stream().filter(event -> event.hasField("local")).toList();
    }

    /** All events of ours, those of the process too, in the order of their times. */
    static List<RecordedEvent> allDuring(Task task) throws Exception {
        Path file = Files.createTempFile("rsockets4j-test", ".jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            task.run();
            recording.stop();
            recording.dump(file);
            return events(file);
        } finally {
            Files.delete(file);
        }
    }

    private static List<RecordedEvent> events(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("rsockets4j."))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime)).toList();
    }

    /** Those events that have an address at one end. */
    public static List<RecordedEvent> at(String address, List<RecordedEvent> events) {
        return events.stream().filter(event -> address.equals(event.getString("local"))
                || address.equals(event.getString("remote"))).toList();
    }

    /** The name of an event, without ours. */
    public static String name(RecordedEvent event) {
        return event.getEventType().getName().substring("rsockets4j.".length());
    }
}
