/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Machine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/** Two connected sockets on one queue, and the events of either. */
final class Ends implements AutoCloseable {
    final EventQueue queue = EventQueue.open();
    final ExtendedListener listener;
    final ExtendedSocket client;
    final ExtendedSocket server;
    private final Queue<Event> others = new ArrayDeque<>();

    Ends(SocketType type) throws IOException, InterruptedException {
        listener = ExtendedListener.open(queue, type, new InetSocketAddress(Machine.address(), 0), 0);
        client = ExtendedSocket.open(queue, type);
        listener.accept("accept");
        client.connect(listener.localAddress(), "connect");
        Event connected = of(Event.Kind.CONNECT, client);
        assertThat(connected.failure()).isNull();
        assertThat(connected.context()).isEqualTo("connect");
        Event accepted = of(Event.Kind.ACCEPT, listener);
        assertThat(accepted.context()).isEqualTo("accept");
        server = accepted.accepted();
    }

    /** The next event of a kind from an endpoint; others wait. */
    Event of(Event.Kind kind, Object source) throws IOException, InterruptedException {
        for (Event event : others) {
            if (event.kind() == kind && event.source() == source) {
                others.remove(event);
                return event;
            }
        }
        while (true) {
            Event event = next(queue);
            if (event.kind() == kind && event.source() == source) {
                return event;
            }
            others.add(event);
        }
    }

    /** Starts receives at the server, one behind the other in memory. */
    void receiveMany(RegisteredMemory into, int count, int length, boolean waitAll) throws IOException {
        for (int i = 0; i < count; i++) {
            if (waitAll) {
                server.receiveAll(into, i * length, length, i);
            } else {
                server.receive(into, i * length, length, i);
            }
        }
    }

    /** Sends as much memory from the client, in as many sends. */
    void sendMany(RegisteredMemory from, int count, int length) throws IOException {
        for (int i = 0; i < count; i++) {
            client.send(from, i * length, length, i);
        }
    }

    /** Each receive, and each send, ends with all that it was for. */
    void awaitMany(int count, int length) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            Event event = received(server);
            assertThat(event.context()).isEqualTo(i);
            assertThat(event.bytes()).isEqualTo(length);
        }
        for (int i = 0; i < count; i++) {
            assertThat(of(Event.Kind.SEND, client).bytes()).isEqualTo(length);
        }
    }

    Event received(ExtendedSocket socket) throws IOException, InterruptedException {
        return of(Event.Kind.RECEIVE, socket);
    }

    static Event next(EventQueue queue) throws IOException, InterruptedException {
        Event event = queue.dequeue(20, TimeUnit.SECONDS);
        assertThat(event).as("an event within 20 s").isNotNull();
        return event;
    }

    /** Memory whose bytes depend on their place and a seed. */
    static RegisteredMemory filled(int bytes, int seed) {
        RegisteredMemory memory = RegisteredMemory.allocate(Math.max(1, bytes));
        for (int i = 0; i < bytes; i++) {
            memory.buffer().put(i, byteAt(i, seed));
        }
        return memory;
    }

    static byte byteAt(int place, int seed) {
        return (byte) ((place + seed) * 0x9E3779B1 >>> 24);
    }

    static void check(RegisteredMemory memory, int offset, int bytes, int place, int seed) {
        for (int i = 0; i < bytes; i++) {
            if (memory.buffer().get(offset + i) != byteAt(place + i, seed)) {
                throw new AssertionError("byte " + i + " of " + bytes + " is another one");
            }
        }
    }

    @Override
    public void close() throws IOException {
        queue.close();
    }
}
