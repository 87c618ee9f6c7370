/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Sizes;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Shows how a run goes: one line that is redrawn on a terminal, else a line every few seconds. For the thread that runs
 * it.
 */
public final class Progress {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final int SHOWN_OUTPUT_LINES = 20;
    private static final int WIDTH = 78;

    private final PrintStream out;
    private final boolean redrawing;
    private final Path logs;
    private final int total;
    private final Set<String> reasonsShown = new HashSet<>();
    private final long startNs = System.nanoTime();
    private long lastLineNs = startNs - INTERVAL.toNanos();
    private int done;
    private String result = "";

    /**
     * Makes a display.
     *
     * @param out where to show it
     * @param redrawing whether that is a terminal
     * @param logs a directory, made when it is needed, for all that failed JVMs printed: thread dumps are too long here
     * @param total the number of measurements to come
     */
    public Progress(PrintStream out, boolean redrawing, Path logs, int total) {
        this.out = out;
        this.redrawing = redrawing;
        this.logs = logs;
        this.total = total;
    }

    /** A measurement starts. */
    void onStart(Job job, PathSetup route) {
        show(name(job, route) + " ..." + result);
        done++;
    }

    /** A measurement gave figures, which may yet turn out not to hold. */
    void onMeasurement(Measurement measurement) {
        Figure headline = measurement.job().work().metrics().get(0);
        String figure = headline.unit().format(measurement.values().get(headline.name()));
        result = "   (" + measurement.route() + ' ' + figure + ')';
    }

    /** Something went wrong. */
    void onFailure(Failure failure) {
        clear();
        out.println("FAILED " + failure.subject() + ": " + failure.reason());
        if (!reasonsShown.add(failure.reason())) {
            return;
        }
        failure.output().stream().limit(SHOWN_OUTPUT_LINES).forEach(line -> out.println("  | " + line));
        if (!failure.output().isEmpty()) {
            out.println("  all it printed: " + keep(failure));
        }
    }

    private Path keep(Failure failure) {
        try {
            Files.createDirectories(logs);
            Path file = logs.resolve("failure-" + reasonsShown.size() + ".log");
            Files.writeString(file, failure.subject() + ": " + failure.reason() + '\n');
            return Files.write(file, failure.output(), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the line, or says how long it took. */
    public void finish() {
        clear();
        if (!redrawing) {
            out.println("[" + done + '/' + total + "] done in " + clock(elapsedNs()));
        }
    }

    private void show(String text) {
        String line = "[" + (done + 1) + '/' + total + ' ' + clock(elapsedNs()) + left() + "] " + text;
        if (redrawing) {
            clear();
            out.print(line.length() > WIDTH ? line.substring(0, WIDTH) : line);
            out.flush();
        } else if (System.nanoTime() - lastLineNs >= INTERVAL.toNanos()) {
            lastLineNs = System.nanoTime();
            out.println(line);
        }
    }

    private void clear() {
        if (redrawing) {
            out.print('\r' + " ".repeat(WIDTH) + '\r');
            out.flush();
        }
    }

    /** Guesses from what is done how long the rest will take. */
    private String left() {
        return done == 0 ? "" : ", " + clock(elapsedNs() / done * (total - done)) + " left";
    }

    private long elapsedNs() {
        return System.nanoTime() - startNs;
    }

    private static String clock(long timeNs) {
        long seconds = timeNs / 1_000_000_000;
        return String.format("%d:%02d", seconds / 60, seconds % 60);
    }

    private static String name(Job job, PathSetup route) {
        return job.work().name() + ' ' + Sizes.format(job.sizeBytes()) + ' ' + job.api() + ' ' + route;
    }
}
