/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import java.util.List;

/**
 * What a client needs to know in order to do its part of a job.
 *
 * @param job the job
 * @param ports where the servers listen, one for each of {@link Work#servers()}
 * @param serverPid the process they run in
 * @param ratePerSecond how often to do it, for a work that has a {@link Work#pace}; 0 for any other
 */
public record Stage(Job job, List<Integer> ports, long serverPid, double ratePerSecond) {
    /** Copies the ports. */
    public Stage {
        ports = List.copyOf(ports);
    }

    Api api() {
        return job.api();
    }

    int port() {
        return ports.get(0);
    }
}
