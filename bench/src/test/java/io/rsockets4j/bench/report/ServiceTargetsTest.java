/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Loop;
import io.rsockets4j.bench.work.Service;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceTargetsTest {

    @ParameterizedTest
    @CsvSource({
        "NIO, 4, closed, rate, 17, -Xmx1g, 1.8",
        "NIO, 32, closed, rate, 25, -Xmx1g, 2",
        "SOCKET, 200, closed, rate, 17, -Xmx1g, 1.3",
        "SELECTOR, 1, closed, rate, 25, -Xmx1g, 10",
        "VIRTUAL, 1000, closed, rate, 25, -Xmx1g, 3",
        "NIO, 4, closed, p99, 17, -Xmx1g, 1",
        "ASYNC, 4, open30, p50, 17, -Xmx1g, 1.25",
        "ASYNC, 4, open30, cpu, 17, -Xmx1g, 1",
        "NIO, 4, closed, rate, 17, -Drsockets4j.spin.micros=0, 1",
        "NIO, 4, open10, p50, 17, -Drsockets4j.spin.micros=0, 1",
        "NIO, 4, closed, rate, 17, -Xint, 1"
    })
    void shouldAsk(Api api, int connections, String loop, String metric, int java, String argument, double ratio) {
        assertThat(ServiceTargets.of(service(connections, loop), api, metric, java, List.of(argument)))
                .contains(Target.ratio(ratio));
    }

    @ParameterizedTest
    @CsvSource({
        "NIO, 5, closed, rate, -Xmx1g",
        "NIO, 4, closed, p50, -Xmx1g",
        "NIO, 4, closed, first rate, -Xmx1g",
        "ASYNC, 4, closed, rate, -Xmx1g",
        "NIO, 4, open30, rate, -Xmx1g",
        "NIO, 1, closed, rate, -Drsockets4j.spin.micros=0",
        "NIO, 32, closed, rate, -Xint"
    })
    void shouldNotAsk(Api api, int connections, String loop, String metric, String argument) {
        assertThat(ServiceTargets.of(service(connections, loop), api, metric, 17, List.of(argument)))
                .isEmpty();
    }

    private static Service service(int connections, String loop) {
        return new Service(connections, Loop.parse(loop));
    }
}
