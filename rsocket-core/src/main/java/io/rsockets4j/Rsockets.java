/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.core.stat.Metric;
import java.util.List;

/**
 * What a program may ask of rsockets4j, whether or not it runs with it: nothing here starts anything. Thread-safe;
 * never blocks.
 */
public final class Rsockets {
    private Rsockets() { }

    /**
     * Whether this process has sockets of rsockets4j.
     *
     * @return false without the agent, and before the first socket
     */
    public static boolean isUsed() {
        return Engine.isStarted();
    }

    /**
     * What a metrics library may want to know: connections, bytes, stalls and fallbacks so far. Looks at each open
     * connection and does not touch the data path; meant for once in a second or less.
     *
     * @return as of now; empty while {@link #isUsed} is false
     */
    public static List<Metric> metrics() {
        return Engine.isStarted() ? EngineHolder.instance().metrics() : List.of();
    }
}
