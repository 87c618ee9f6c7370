/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import com.sun.management.OperatingSystemMXBean;
import io.rsockets4j.Rsockets;
import io.rsockets4j.core.stat.Metric;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a process has used and moved since its start.
 *
 * @param cpuNs processor time
 * @param direct bytes that came straight into buffers of its reads
 * @param messages what it sent through the network
 */
record ExsCounts(long cpuNs, long direct, long messages) {
    /** The length of one, encoded. */
    static final int BYTES = 3 * Long.BYTES;

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Looks at this process. */
    static ExsCounts now() {
        List<Metric> metrics = Rsockets.metrics();
        return new ExsCounts(SYSTEM.getProcessCpuTime(), sum(metrics, "rsockets4j.direct.bytes.received"),
                sum(metrics, "rsockets4j.messages.sent"));
    }

    /** Of all paths, of which one is in use. A number that is 0 so far may be missing. */
    private static long sum(List<Metric> metrics, String name) {
        return metrics.stream().filter(each -> each.name().equals(name)).mapToLong(Metric::value).sum();
    }

    ExsCounts since(ExsCounts before) {
        return new ExsCounts(cpuNs - before.cpuNs, direct - before.direct, messages - before.messages);
    }

    void encode(ByteBuffer out) {
        out.putLong(cpuNs).putLong(direct).putLong(messages);
    }

    static ExsCounts decode(ByteBuffer in) {
        return new ExsCounts(in.getLong(), in.getLong(), in.getLong());
    }
}
