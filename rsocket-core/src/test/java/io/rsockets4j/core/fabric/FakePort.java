/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** A local port without a socket, which remembers how often it was released. Thread-safe. */
public final class FakePort implements LocalPort {
    private static final AtomicInteger PORTS = new AtomicInteger(30_000);

    private final AtomicInteger released = new AtomicInteger();
    private final BufferSizes buffers;

    /** Creates a port of a program that left its buffers to TCP. */
    public FakePort() {
        this(BufferSizes.UNSET);
    }

    /** @param buffers what the program asked for */
    public FakePort(BufferSizes buffers) {
        this.buffers = buffers;
    }

    @Override
    public BufferSizes buffers() {
        return buffers;
    }

    @Override
    public InetSocketAddress reserve(InetAddress source) {
        return new InetSocketAddress(source, PORTS.incrementAndGet() % 65_536);
    }

    @Override
    public boolean isOpen() {
        return released.get() == 0;
    }

    @Override
    public void release() {
        released.incrementAndGet();
    }

    /** @return how often it was released */
    public int released() {
        return released.get();
    }
}
