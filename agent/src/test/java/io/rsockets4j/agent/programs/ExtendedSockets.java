/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import io.rsockets4j.exs.BufferPool;
import io.rsockets4j.exs.Event;
import io.rsockets4j.exs.EventQueue;
import io.rsockets4j.exs.ExtendedListener;
import io.rsockets4j.exs.ExtendedSocket;
import io.rsockets4j.exs.RegisteredMemory;
import io.rsockets4j.exs.SocketType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Sends a message to itself by extended sockets, and prints how long it was. */
public final class ExtendedSockets {
    private ExtendedSockets() { }

    public static void main(String[] args) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        BufferPool pool = new BufferPool(2, 100_000);
        RegisteredMemory from = pool.take();
        RegisteredMemory into = pool.take();
        try (EventQueue queue = EventQueue.open();
                ExtendedListener listener = ExtendedListener.open(queue, SocketType.MESSAGE, address, 0);
                ExtendedSocket client = ExtendedSocket.open(queue, SocketType.MESSAGE)) {
            listener.accept(null);
            client.connect(listener.localAddress(), null);
            while (true) {
                Event event = queue.dequeue(20, TimeUnit.SECONDS);
                if (event == null || event.failure() != null) {
                    throw new IllegalStateException("event=" + event);
                }
                switch (event.kind()) {
                    case CONNECT -> client.send(from, 0, 99_999, null);
                    case ACCEPT -> event.accepted().receive(into, 0, 100_000, null);
                    case RECEIVE -> {
                        System.out.println(event.bytes() + " bytes");
                        return;
                    }
                    case SEND -> pool.giveBack(from);
                }
            }
        }
    }
}
