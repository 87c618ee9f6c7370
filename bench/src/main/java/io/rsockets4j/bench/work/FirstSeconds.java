/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Session;
import java.util.List;
import java.util.Map;

/** The first two seconds of a {@link Service}. */
public final class FirstSeconds implements Work {

    /** Requests answered within the first second. */
    public static final String FIRST = "first second";
    /** Requests answered within the second one. */
    public static final String SECOND = "second second";

    private static final String P99 = ", p99";

    FirstSeconds() {}

    @Override
    public String name() {
        return Start.FAMILY + ":service";
    }

    @Override
    public String title() {
        return "service, 4 threads";
    }

    @Override
    public String method() {
        return "The service's closed loop with four connections, in JVMs that did nothing before, from the moment when"
                + " these are open.";
    }

    @Override
    public List<Integer> sizes() {
        return List.of(Service.REQUEST_BYTES);
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                Metric.headline(FIRST, Unit.PER_SECOND),
                Metric.headline(FIRST + P99, Unit.NANOSECONDS),
                Metric.headline(SECOND, Unit.PER_SECOND),
                Metric.headline(SECOND + P99, Unit.NANOSECONDS));
    }

    @Override
    public boolean wantsFreshJvms() {
        return true;
    }

    @Override
    public Session session(Job job) {
        return new ServiceSession(job.api());
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws Exception {
        Map<String, Double> values = new ServiceRun(stage, Start.THREADS).values();
        return Map.of(
                FIRST, values.get(Service.FIRST + Service.RATE),
                FIRST + P99, values.get(Service.FIRST + Service.P99),
                SECOND, values.get(Service.RATE),
                SECOND + P99, values.get(Service.P99));
    }
}
