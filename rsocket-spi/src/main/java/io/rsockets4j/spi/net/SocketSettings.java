/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.spi.jdk.ConnectedBuffers;
import io.rsockets4j.spi.stream.AskedBuffers;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.function.IntSupplier;

/**
 * The options of one socket. They live in its TCP socket, so that every answer is TCP's. This class also keeps what a
 * link needs to know. As a supplier it answers SO_TIMEOUT. Thread-safe.
 */
class SocketSettings implements IntSupplier {
    private final TcpSocket tcp;
    private final AskedBuffers asked = new AskedBuffers();
    private volatile int timeoutMillis;
    private volatile int lingerSeconds = -1;

    SocketSettings(TcpSocket tcp) {
        this.tcp = tcp;
    }

    final TcpSocket tcp() {
        return tcp;
    }

    /** SO_TIMEOUT, in milliseconds; 0 waits for ever. */
    @Override
    public final int getAsInt() {
        return timeoutMillis;
    }

    /** SO_LINGER, in seconds; negative when off. */
    final int lingerSeconds() {
        return lingerSeconds;
    }

    /** The sizes of buffers that were set, as TCP reports them. */
    final BufferSizes askedBuffers() throws IOException {
        return asked.sizes(tcp);
    }

    /** Whether an option is the size of a buffer that was never set, which TCP changes when it connects. */
    boolean isLeftToTcp(SocketOption<?> name) {
        return ConnectedBuffers.isSize(name) && !asked.has(name);
    }

    /** Sets an option by the number that {@link SocketOptions} gives it. */
    void set(int id, Object value) throws SocketException {
        tcp.setOption(id, value);
        note(id, value);
    }

    /** Gets an option by the number that {@link SocketOptions} gives it. */
    Object get(int id) throws SocketException {
        return tcp.getOption(id);
    }

    <T> void set(SocketOption<T> name, T value) throws IOException {
        tcp.setOption(name, value);
        note(name, value);
    }

    <T> T get(SocketOption<T> name) throws IOException {
        return tcp.getOption(name);
    }

    /** Remembers what links need to know of a value that was set. */
    final void note(int id, Object value) {
        if (id == SocketOptions.SO_TIMEOUT) {
            timeoutMillis = (Integer) value;
        } else {
            note(nameOf(id), value);
        }
    }

    final void note(SocketOption<?> name, Object value) {
        if (name == StandardSocketOptions.SO_LINGER) {
            lingerSeconds = value instanceof Integer seconds ? seconds : -1; // a number has it off by a boolean
        } else {
            asked.note(name);
        }
    }

    /** The name of an option with a number; null where no public constant names it. */
    static SocketOption<?> nameOf(int id) {
        return switch (id) {
            case SocketOptions.TCP_NODELAY -> StandardSocketOptions.TCP_NODELAY;
            case SocketOptions.SO_KEEPALIVE -> StandardSocketOptions.SO_KEEPALIVE;
            case SocketOptions.SO_LINGER -> StandardSocketOptions.SO_LINGER;
            case SocketOptions.SO_SNDBUF -> StandardSocketOptions.SO_SNDBUF;
            case SocketOptions.SO_RCVBUF -> StandardSocketOptions.SO_RCVBUF;
            case SocketOptions.SO_REUSEADDR -> StandardSocketOptions.SO_REUSEADDR;
            case SocketOptions.SO_REUSEPORT -> StandardSocketOptions.SO_REUSEPORT;
            case SocketOptions.IP_TOS -> StandardSocketOptions.IP_TOS;
            default -> null;
        };
    }
}
