/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/** Jedis, which runs on {@link java.net.Socket}: single commands, a pipeline, and a large value. */
final class JedisClient {
    private static final int COMMANDS = 2_000;
    /** Longest value of the pipeline, whose answers wait until all commands are sent. */
    private static final int PIPELINED = 64;
    /** The server reads byte by byte. */
    private static final int LARGE = 1 << 20;
    private static final int TIMEOUT_MILLIS = 60_000;

    private JedisClient() { }

    /**
     * Writes, reads, and compares.
     *
     * @param args the server's port
     */
    public static void main(String[] args) {
        try (Jedis jedis = new Jedis("127.0.0.1", Integer.parseInt(args[0]), TIMEOUT_MILLIS)) {
            for (int i = 0; i < COMMANDS; i++) {
                compare(jedis, i % Content.SMALL);
            }
            compare(jedis, LARGE);
            pipeline(jedis);
        }
    }

    private static void compare(Jedis jedis, int length) {
        byte[] key = ("key " + length).getBytes(US_ASCII);
        jedis.set(key, Content.bytes(length));
        Content.check("get", Content.digest(jedis.get(key)), length);
    }

    private static void pipeline(Jedis jedis) {
        List<Response<byte[]>> values = new ArrayList<>();
        try (Pipeline pipeline = jedis.pipelined()) {
            for (int i = 0; i < COMMANDS; i++) {
                byte[] key = ("pipelined " + i).getBytes(US_ASCII);
                pipeline.set(key, Content.bytes(i % PIPELINED));
                values.add(pipeline.get(key));
            }
            pipeline.sync();
        }
        for (int i = 0; i < COMMANDS; i++) {
            Content.check("pipelined get", Content.digest(values.get(i).get()), i % PIPELINED);
        }
    }
}
