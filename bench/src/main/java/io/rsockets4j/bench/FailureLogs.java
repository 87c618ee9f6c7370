/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import io.rsockets4j.bench.run.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps all that a failed JVM printed, in a file for each failure: thread dumps are too long for a terminal. */
final class FailureLogs {

    private final Path directory;
    private int count;

    /**
     * Chooses where to keep the files.
     *
     * @param directory made when it is needed
     */
    FailureLogs(Path directory) {
        this.directory = directory;
    }

    /**
     * Writes a file.
     *
     * @param failure what happened
     * @return the file
     */
    Path write(Failure failure) {
        try {
            count++;
            Files.createDirectories(directory);
            Path file = directory.resolve("failure-" + count + ".log");
            Files.writeString(file, failure.subject() + ": " + failure.reason() + '\n');
            return Files.write(file, failure.output(), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
