/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.PathSetup;
import java.util.EnumMap;
import java.util.Map;

/**
 * One metric of one job, on all routes.
 *
 * @param work the work's name
 * @param title the work's name for readers
 * @param sizeBytes the length of a message
 * @param api the socket API
 * @param metric which figure
 * @param cells the figure by route; a route that failed is missing
 */
public record Row(String work, String title, int sizeBytes, Api api, Figure metric, Map<PathSetup, Cell> cells) {
    /** Copies the cells. */
    public Row {
        Map<PathSetup, Cell> copy = new EnumMap<>(PathSetup.class);
        copy.putAll(cells);
        cells = copy;
    }

    /**
     * Tells whether another row has a figure of the same job.
     *
     * @param other the other row
     * @return true if so
     */
    boolean isSameJob(Row other) {
        return work.equals(other.work) && sizeBytes == other.sizeBytes && api == other.api;
    }
}
