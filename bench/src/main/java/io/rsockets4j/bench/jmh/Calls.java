/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ClientLink;
import io.rsockets4j.bench.net.Server;
import io.rsockets4j.bench.net.ServerSession;
import io.rsockets4j.bench.net.Serving;
import java.io.IOException;
import java.nio.ByteBuffer;
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

/**
 * What the calls of the data path cost and allocate, where both ends of a connection are in one JVM, under the agent.
 * It says when it ends which path the connections took.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class Calls {
    /** What the program uses; a selector's set of selected keys allocates by itself. */
    @Param({"NIO", "SELECTOR", "SOCKET"})
    public Api api;

    /** Bytes of a message. */
    @Param({"64", "65536"})
    public int size;

    private Server echo;
    private Server sink;
    private ClientConnector connector;
    private ClientLink echoed;
    private ClientLink swallowed;
    private ByteBuffer message;

    /** Connects to a peer that returns each message, and to one that only reads. */
    @Setup
    public void connect() throws IOException {
        echo = api.serve(() -> new Peer(true), Serving.CONCURRENTLY);
        sink = api.serve(() -> new Peer(false), Serving.CONCURRENTLY);
        connector = api.connector();
        echoed = connector.connect(echo.port());
        swallowed = connector.connect(sink.port());
        message = api.allocate(size);
    }

    /** Writes a message and reads the answer. */
    @Benchmark
    public void roundTrip() throws IOException {
        echoed.write(message.clear());
        echoed.readFully(message.clear());
    }

    /** Writes a message to the peer that only reads; waiting for room in the ring included. */
    @Benchmark
    public void write() throws IOException {
        swallowed.write(message.clear());
    }

    /** Closes everything. */
    @TearDown
    public void close() throws IOException {
        echoed.close();
        swallowed.close();
        connector.close();
        echo.close();
        sink.close();
    }

    /** Reads whole messages. */
    private final class Peer implements ServerSession {
        private final ByteBuffer buffer = api.allocate(size);
        private final boolean answers;

        Peer(boolean answers) {
            this.answers = answers;
        }

        @Override
        public ByteBuffer target() {
            return buffer.hasRemaining() ? buffer : buffer.clear();
        }

        @Override
        public ByteBuffer received() {
            return buffer.hasRemaining() || !answers ? NOTHING : buffer.flip();
        }
    }
}
