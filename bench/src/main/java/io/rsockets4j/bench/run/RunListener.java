/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;

/** Is told how a run goes, on the thread that runs it. */
public interface RunListener {
    /**
     * A measurement starts.
     *
     * @param job what is measured
     * @param route on which route
     */
    void onStart(Job job, PathSetup route);

    /**
     * A measurement gave figures, which may yet turn out not to hold.
     *
     * @param measurement the figures
     */
    void onMeasurement(Measurement measurement);

    /**
     * Something went wrong.
     *
     * @param failure what it was
     */
    void onFailure(Failure failure);
}
