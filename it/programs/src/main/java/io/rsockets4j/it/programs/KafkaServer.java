/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** A Kafka broker that is its own controller, with its files in the current directory. */
final class KafkaServer {
    private static final Path SETTINGS = Path.of("server.properties");

    private KafkaServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args the broker's port, and the controller's
     */
    public static void main(String[] args) throws IOException {
        Files.writeString(SETTINGS, String.join("\n",
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + args[1],
                "controller.listener.names=CONTROLLER",
                "listeners=PLAINTEXT://127.0.0.1:" + args[0] + ",CONTROLLER://127.0.0.1:" + args[1],
                "log.dirs=" + Path.of("log").toAbsolutePath(),
                "log.retention.bytes=" + (64 << 20),
                "log.segment.bytes=" + (16 << 20),
                "log.retention.check.interval.ms=1000",
                "offsets.topic.num.partitions=1",
                "offsets.topic.replication.factor=1"));
        StorageTool.execute(new String[] {"format", "--cluster-id", "AAAAAAAAAAAAAAAAAAAAAQ",
            "--config", SETTINGS.toString()}, System.err);
        Kafka.main(new String[] {SETTINGS.toString()});
    }
}
