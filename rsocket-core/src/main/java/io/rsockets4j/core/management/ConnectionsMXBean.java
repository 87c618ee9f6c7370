/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.management;

import java.util.Map;

/**
 * The connections of this process, as {@value #NAME} in its platform MBean server. Read only; every attribute is made
 * when it is read and costs the data path nothing. Any thread.
 */
public interface ConnectionsMXBean {
    /** Under which name it is registered. */
    String NAME = "io.rsockets4j:type=Connections";

    /**
     * The connections that are open.
     *
     * @return in the order in which they were established; clients see composite data
     */
    ConnectionData[] getConnections();

    /**
     * Sums over all connections so far.
     *
     * @return values by {@link io.rsockets4j.core.stat.Metric#id}, in no order
     */
    Map<String, Long> getMetrics();
}
