/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import java.util.ArrayList;
import java.util.List;

/**
 * One route's part of a batch: its JVMs, and the figures that hold only once the JVMs have confirmed at exit that
 * their connections took the route.
 */
final class RouteRun implements AutoCloseable {
    private static final int MOST_FAILURES = 3;

    private final PathSetup route;
    private final Jvms jvms;
    private final Progress progress;
    private final List<Measurement> unconfirmed = new ArrayList<>();
    private final List<Measurement> confirmed = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private JvmPair pair;
    private String jvm = "";

    RouteRun(PathSetup route, Jvms jvms, Progress progress) {
        this.route = route;
        this.jvms = jvms;
        this.progress = progress;
    }

    /** Starts the JVMs without waiting for them. */
    void start() {
        try {
            pair = JvmPair.start(route, jvms);
        } catch (PeerException e) {
            fail(route + ": starting the JVMs", e);
        }
    }

    /** Waits for the JVMs, so that their start does not disturb a measurement of another route. */
    void awaitStarted() {
        try {
            if (pair != null) {
                jvm = pair.awaitJvm();
            }
        } catch (PeerException e) {
            fail(route + ": starting the JVMs", e);
            abandon();
        }
    }

    /** Does a job, at a rate if that is not 0; in new JVMs if the former failed, unless they failed too often. */
    void measure(Job job, double ratePerSecond) {
        if (pair == null && failures.size() < MOST_FAILURES) {
            start();
            awaitStarted();
        }
        if (pair == null) {
            return;
        }
        progress.onStart(job, route);
        try {
            Measurement measurement = new Measurement(job, route, pair.measure(job, ratePerSecond));
            unconfirmed.add(measurement);
            progress.onMeasurement(measurement);
        } catch (PeerException e) {
            fail(name(job), e);
            confirm();
        }
    }

    /** Ends the JVMs; the figures hold if they exit as they should and report the route. */
    void confirm() {
        if (pair == null) {
            return;
        }
        try {
            pair.finish();
            confirmed.addAll(unconfirmed);
        } catch (PeerException e) {
            String first = unconfirmed.isEmpty()
                    ? ""
                    : ", all figures from " + name(unconfirmed.get(0).job()) + " on";
            fail(route + first, e);
        } finally {
            unconfirmed.clear();
            abandon();
        }
    }

    List<Measurement> confirmed() {
        return confirmed;
    }

    List<Failure> failures() {
        return failures;
    }

    String jvm() {
        return jvm;
    }

    @Override
    public void close() {
        abandon();
    }

    private void abandon() {
        if (pair != null) {
            pair.close();
            pair = null;
        }
    }

    private String name(Job job) {
        return job.work().name() + ' ' + job.sizeBytes() + " B " + job.api() + ' ' + route;
    }

    private void fail(String subject, PeerException cause) {
        Failure failure = Failure.of(subject, cause);
        failures.add(failure);
        progress.onFailure(failure);
    }
}
