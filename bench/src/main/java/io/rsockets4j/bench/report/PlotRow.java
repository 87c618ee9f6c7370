/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.run.Route;
import java.util.List;

/**
 * A row of a plot.
 *
 * @param group what it has in common with its neighbours
 * @param label what distinguishes it
 * @param dots its figures, each drawn in a lane of its own
 */
record PlotRow(String group, String label, List<Dot> dots) {

    /** Copies the dots. */
    PlotRow {
        dots = List.copyOf(dots);
    }

    /**
     * A figure in a plot.
     *
     * @param route whose figure it is
     * @param value the figure
     * @param tail figures that belong to it, ascending; a line leads to the last
     * @param bound what was asked of it, null if nothing was
     * @param label what is written beside it
     */
    record Dot(Route route, double value, List<Double> tail, Double bound, String label) {

        /** Copies the tail. */
        Dot {
            tail = List.copyOf(tail);
        }
    }
}
