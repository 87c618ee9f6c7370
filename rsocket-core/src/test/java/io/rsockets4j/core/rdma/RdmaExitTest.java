/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.memory.MemoryBinding;
import io.rsockets4j.core.verbs.memory.MemoryDevice;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A JVM that ends waits 0.3 s for a thread that sleeps in native code: from its hooks on, none of ours does. */
@Timeout(30)
class RdmaExitTest {
    private static final int FOREVER = -1;
    private static final int LOOKS = 3;
    private static final int BYTES = 300_000;
    private static final int PIECE = 5_000;

    private final RdmaNetwork network = new RdmaNetwork();
    private final Waits waits = new Waits();

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void shouldNotSleepForEventsOfTheConnectionManager() throws Exception {
        CmThread thread = new CmThread(new WatchedManager(new MemoryBinding(network.near).openConnectionManager(),
                waits));
        Eventually.until("it sleeps", () -> waits.last == FOREVER);
        thread.exit();
        Eventually.until("it looks", () -> waits.looks >= LOOKS);
        assertThat(waits.last).isZero();
        CompletableFuture<Void> task = new CompletableFuture<>();
        thread.execute(() -> task.complete(null));
        task.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldNotSleepForCompletions() throws Exception {
        MemoryDevice device = network.near.device();
        CompletionThread thread = new CompletionThread(new WatchedChannel(device.createCompletionChannel(), waits),
                "exit");
        Eventually.until("it sleeps", () -> waits.last == FOREVER);
        thread.exit();
        Eventually.until("it looks", () -> waits.looks >= LOOKS);
        assertThat(waits.last).isZero();
    }

    /** The program's own hooks may still use its connections. */
    @Test
    void shouldServeOnWhileTheProcessEnds() throws Exception {
        network.initiator().exit();
        network.acceptor().exit();
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Void> received = Traffic.receiving(links.far(), BYTES, PIECE, 1);
        Traffic.send(links.near(), BYTES, PIECE, 1);
        received.get(20, TimeUnit.SECONDS);
        links.near().close(false);
        links.far().close(false);
    }

    /** How a thread waits; written by that thread. */
    private static final class Waits {
        private volatile int last;
        private volatile int looks;

        int begin(int timeoutMillis) {
            last = timeoutMillis;
            if (timeoutMillis == 0) {
                looks++;
            }
            return timeoutMillis;
        }
    }

    /** Notes each wait for an event. */
    private record WatchedManager(ConnectionManager manager, Waits waits) implements ConnectionManager {
        @Override
        public CmId createId() throws IOException {
            return manager.createId();
        }

        @Override
        public CmEvent await(int timeoutMillis) throws IOException {
            return manager.await(waits.begin(timeoutMillis));
        }

        @Override
        public void wakeup() {
            manager.wakeup();
        }

        @Override
        public void close() {
            manager.close();
        }
    }

    /** Notes each wait for a completion. */
    private record WatchedChannel(CompletionChannel channel, Waits waits) implements CompletionChannel {
        @Override
        public CompletionQueue await(int timeoutMillis) throws IOException {
            return channel.await(waits.begin(timeoutMillis));
        }

        @Override
        public void wakeup() {
            channel.wakeup();
        }

        @Override
        public boolean hasFront() {
            return false;
        }

        @Override
        public CompletionQueue awaitInFront(int timeoutMillis) throws IOException {
            throw new UnsupportedOperationException();
        }

        @Override
        public void wakeupInFront() {
            throw new UnsupportedOperationException();
        }
    }
}
