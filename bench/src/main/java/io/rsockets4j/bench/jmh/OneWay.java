/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a write costs, to a peer that only reads; waiting for room in the ring included. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class OneWay {
    /** What the program uses. */
    @Param
    public Api api;

    /** What carries the bytes. */
    @Param
    public Path path;

    /** Bytes of a message. */
    @Param({"64", "65536"})
    public int size;

    private Connection connection;
    private End client;

    /** Connects. */
    @Setup
    public void connect() throws IOException {
        connection = Connection.open(api, path, size, false);
        client = connection.client();
    }

    /** Writes a message. */
    @Benchmark
    public void write() throws IOException {
        client.write();
    }

    /** Closes. */
    @TearDown
    public void close() throws IOException {
        connection.close();
    }
}
