/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's producer and consumer, each on one partition. */
final class KafkaClients {
    private static final String TOPIC = "measured";
    private static final int SMALL = 1_000;
    private static final int TINY = 100;
    private static final int BATCH = 500;
    private static final int STORED = 20_000;
    private static final int FETCH_BYTES = 100_000;

    private KafkaClients() { }

    /** One record, and its acknowledgement. */
    static Client send(int port) throws Exception {
        KafkaProducer<byte[], byte[]> producer = producer(port);
        byte[] value = new byte[SMALL];
        return Client.repeating(() -> producer.send(new ProducerRecord<>(TOPIC, value)).get());
    }

    /** As many records as make a batch, and the acknowledgements of all. */
    static Client batch(int port) throws Exception {
        KafkaProducer<byte[], byte[]> producer = producer(port);
        byte[] value = new byte[TINY];
        return Client.repeating(() -> {
            for (int i = 0; i < BATCH; i++) {
                producer.send(new ProducerRecord<>(TOPIC, value));
            }
            producer.flush();
            return producer;
        });
    }

    /** One fetch of a hundred records, again from the first when all have come. */
    static Client fetch(int port) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(port)) {
            for (int i = 0; i < STORED; i++) {
                producer.send(new ProducerRecord<>(TOPIC, new byte[SMALL]));
            }
        }
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(Map.of(
                "bootstrap.servers", "127.0.0.1:" + port,
                "max.poll.records", STORED,
                "max.partition.fetch.bytes", FETCH_BYTES), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        return Client.repeating(() -> {
            int records = consumer.poll(Duration.ofSeconds(10)).count();
            if (records == 0) {
                throw new IllegalStateException("no records came");
            }
            if (consumer.position(partition) >= STORED) {
                consumer.seekToBeginning(List.of(partition));
            }
            return records;
        });
    }

    private static KafkaProducer<byte[], byte[]> producer(int port) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", "127.0.0.1:" + port);
        try (Admin admin = Admin.create(settings)) {
            if (!admin.listTopics().names().get(1, TimeUnit.MINUTES).contains(TOPIC)) {
                admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(1), Optional.empty()))).all().get();
            }
        }
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
