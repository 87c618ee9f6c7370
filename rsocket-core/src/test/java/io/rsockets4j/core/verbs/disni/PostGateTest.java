/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostGateTest {
    private static final int ROUNDS = 200;

    private volatile boolean destroyed;

    @Test
    void shouldLetNobodyInOnceClosed() {
        PostGate gate = new PostGate();
        assertThat(gate.enter()).isTrue();
        gate.leave();
        gate.close();
        assertThat(gate.enter()).isFalse();
        gate.close();
    }

    @Test
    void shouldCloseOnlyWhenWhoIsInsideHasLeft() throws Exception {
        PostGate gate = new PostGate();
        assertThat(gate.enter()).isTrue();
        Thread closer = new Thread(gate::close);
        closer.start();
        closer.join(100);
        assertThat(closer.isAlive()).as("waits while a poster is inside").isTrue();
        gate.leave();
        closer.join(20_000);
        assertThat(closer.isAlive()).isFalse();
    }

    @Test
    void shouldNeverBeDestroyedWithAPosterInside() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            PostGate gate = new PostGate();
            destroyed = false;
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Boolean> poster = CompletableFuture.supplyAsync(() -> post(gate, start));
            start.await(20, TimeUnit.SECONDS);
            gate.close();
            destroyed = true;
            assertThat(poster.get(20, TimeUnit.SECONDS)).as("used after it was destroyed, round %s", i).isFalse();
        }
    }

    /** Posts until the gate is closed; returns whether it was ever inside after that. */
    private boolean post(PostGate gate, CyclicBarrier start) {
        try {
            start.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        boolean late = false;
        while (gate.enter()) {
            for (int i = 0; i < 20; i++) {
                late |= destroyed;
            }
            gate.leave();
        }
        return late;
    }
}
