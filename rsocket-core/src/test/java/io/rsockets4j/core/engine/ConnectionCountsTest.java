/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.rules.Direction;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionCountsTest {
    private final ConnectionCounts counts = new ConnectionCounts();

    @Test
    void shouldNameTheAllowedPathsInTheirOrderAlsoThoseUnused() {
        counts.opened("tcp", Direction.CONNECT);
        counts.opened("shm", Direction.CONNECT);
        counts.opened("shm", Direction.ACCEPT);
        assertThat(counts.summary(List.of("shm", "tcp"))).isEqualTo("rsockets4j: connections shm=2 tcp=1");
        assertThat(counts.of("shm", Direction.ACCEPT)).isEqualTo(1);
        assertThat(counts.of("tcp", Direction.ACCEPT)).isZero();
        assertThat(counts.summary(List.of("tcp", "rdma"))).isEqualTo("rsockets4j: connections tcp=1 rdma=0");
    }

    @Test
    void shouldCountFromSeveralThreads() throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 10_000; n++) {
                    counts.opened("shm", Direction.CONNECT);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(counts.of("shm")).isEqualTo(40_000);
        assertThat(counts.of("tcp")).isZero();
    }
}
