/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Finds virtual threads that kept their carrier while they were parked in code under test, by the flight recorder. */
public final class PinnedThreads {
    private static final String EVENT = "jdk.VirtualThreadPinned";
    private static final String OPERATION = "blockingOperation"; // from JDK 24 on; earlier there are only parks
    private static final String PARK = "LockSupport.park";
    private static final String OWN_CODE = "io.rsockets4j.";
    private static final String TESTS = "io.rsockets4j.spi.suite.";

    private PinnedThreads() {
    }

    /**
     * Runs something twice, since a class that is loaded or initialized keeps the carrier of who waits for that, and
     * records the second time.
     *
     * @param body what to run
     * @return the parks in the code under test that kept a carrier, for an error's message; none if all is well
     * @throws Exception what the body throws
     */
    public static List<String> during(Callable<?> body) throws Exception {
        Path file = Files.createTempFile("pinned", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(EVENT).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            body.call();
            Instant warm = Instant.now();
            body.call();
            recording.stop();
            recording.dump(file);
            return pinnedAfter(warm, file);
        } finally {
            Files.delete(file);
        }
    }

    private static List<String> pinnedAfter(Instant start, Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(EVENT) && event.getStartTime().isAfter(start))
                .filter(event -> isPark(event) && isInCodeUnderTest(event))
                .map(RecordedEvent::toString)
                .collect(Collectors.toList());
    }

    private static boolean isPark(RecordedEvent event) {
        return !event.hasField(OPERATION) || PARK.equals(event.getString(OPERATION));
    }

    private static boolean isInCodeUnderTest(RecordedEvent event) {
        return event.getStackTrace() != null && event.getStackTrace().getFrames().stream()
                .map(frame -> frame.getMethod().getType().getName())
                .anyMatch(type -> type.startsWith(OWN_CODE) && !type.startsWith(TESTS));
    }
}
