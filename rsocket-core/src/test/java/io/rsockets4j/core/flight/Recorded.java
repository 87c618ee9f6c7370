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
        Path file = Files.createTempFile("rsockets4j-test", ".jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            task.run();
            recording.stop();
            recording.dump(file);
            return events(file, address);
        } finally {
            Files.delete(file);
        }
    }

    private static List<RecordedEvent> events(Path file, String address) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("rsockets4j."))
                .filter(event -> address.equals(event.getString("local")) || address.equals(event.getString("remote")))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime)).toList();
    }

    /** The name of an event, without ours. */
    public static String name(RecordedEvent event) {
        return event.getEventType().getName().substring("rsockets4j.".length());
    }
}
