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
