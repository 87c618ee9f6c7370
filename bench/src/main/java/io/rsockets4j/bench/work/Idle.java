/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Many connections that do nothing. */
final class Idle extends Work {
    private static final int CONNECTIONS = 1_000;
    private static final long SETTLE_MS = 1_000;
    /** Linux counts in hundredths of a second: three seconds make a step a third of a percent. */
    private static final long WATCH_MS = 3_000;

    Idle() {
        super("idle", "1,000 idle",
                "The client opens 1,000 connections, exchanges one message on each, and then only waits. After a"
                        + " second: CPU time of both processes over 3 s, as a share of one core; descriptors per"
                        + " connection of the process that has more; shared memory touched per connection, each page"
                        + " counted once for both processes.",
                List.of(64),
                List.of(
                        Figure.headline("cpu", Unit.PERCENT),
                        Figure.headline("descriptors", Unit.COUNT),
                        Figure.headline("shared memory", Unit.BYTES),
                        Figure.detail("time to open", Unit.SECONDS),
                        Figure.detail("/dev/shm", Unit.BYTES)),
                Trait.LONG, Trait.FRESH_JVMS);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException, InterruptedException {
        Footprint before = Footprint.of(stage.serverPid());
        List<EchoClient> clients = new ArrayList<>();
        long startNs = System.nanoTime();
        try (ClientConnector connector = stage.api().connector()) {
            open(stage, connector, clients);
            double openSeconds = (System.nanoTime() - startNs) / 1e9;
            Thread.sleep(SETTLE_MS);
            double cpuPercent = watchCpu(stage.serverPid());
            Footprint after = Footprint.of(stage.serverPid());
            return Map.of(
                    "cpu", cpuPercent,
                    "descriptors", (double) after.descriptorsSince(before) / CONNECTIONS,
                    "shared memory", (double) (after.sharedBytes() - before.sharedBytes()) / CONNECTIONS,
                    "time to open", openSeconds,
                    "/dev/shm", (double) (after.devShmBytes() - before.devShmBytes()) / CONNECTIONS);
        } finally {
            for (EchoClient client : clients) {
                client.close();
            }
        }
    }

    private static double watchCpu(long serverPid) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        double startSeconds = Footprint.cpuSeconds(serverPid);
        Thread.sleep(WATCH_MS);
        double usedSeconds = Footprint.cpuSeconds(serverPid) - startSeconds;
        return 100 * usedSeconds / ((System.nanoTime() - startNs) / 1e9);
    }

    private static void open(Stage stage, ClientConnector connector, List<EchoClient> clients) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            EchoClient client = new EchoClient(stage.job(), connector, stage.port());
            clients.add(client);
            client.exchange();
        }
    }
}
