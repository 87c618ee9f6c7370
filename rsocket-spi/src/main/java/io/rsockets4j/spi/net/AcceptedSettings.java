/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The options of an accepted link, which has no TCP socket.
 *
 * <p>The usual ones, whose values the kernel would not change, are kept here. For any other a TCP socket is made, with
 * what was set on the listener, as if it had been accepted. Thread-safe.
 */
final class AcceptedSettings extends SocketSettings {
    private static final Map<SocketOption<?>, Object> DEFAULTS = Map.of(
            StandardSocketOptions.TCP_NODELAY, false,
            StandardSocketOptions.SO_KEEPALIVE, false,
            StandardSocketOptions.SO_LINGER, -1);
    private static final int MAX_LINGER_SECONDS = 65_535;

    private final Map<Object, Object> inherited; // as the listener was when this was accepted
    private final boolean receiveBufferInherited;
    private final Map<SocketOption<?>, Object> kept = new ConcurrentHashMap<>(DEFAULTS);
    private final ReentrantLock lock = new ReentrantLock();
    private boolean tcpCreated; // guarded by lock
    private boolean closed; // guarded by lock

    AcceptedSettings(TcpSocket tcp, ListenerSettings listener) {
        super(tcp);
        inherited = listener.inherited();
        receiveBufferInherited = !listener.isLeftToTcp(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    boolean isLeftToTcp(Object key) {
        return super.isLeftToTcp(key) && !(receiveBufferInherited && isReceiveBuffer(key));
    }

    /** SO_LINGER as the JDK keeps it. */
    private static Integer clipped(int seconds) {
        return seconds < 0 ? -1 : Math.min(seconds, MAX_LINGER_SECONDS);
    }

    /** Closes the TCP socket, if one was made. */
    void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            if (tcpCreated) {
                tcp().close();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    void set(int id, Object value) throws SocketException {
        SocketOption<?> name = nameOf(id);
        if (name != null) {
            kept.put(name, id == SocketOptions.SO_LINGER && Boolean.FALSE.equals(value) ? -1 : value);
            note(id, value);
        } else if (id == SocketOptions.SO_TIMEOUT) {
            note(id, value);
        } else {
            createTcp();
            super.set(id, value);
        }
    }

    @Override
    Object get(int id) throws SocketException {
        SocketOption<?> name = nameOf(id);
        if (name != null) {
            return kept.get(name);
        }
        if (id == SocketOptions.SO_TIMEOUT) {
            return timeoutMillis();
        }
        createTcp();
        return super.get(id);
    }

    @Override
    <T> void set(SocketOption<T> name, T value) throws IOException {
        if (DEFAULTS.containsKey(name)) {
            if (!name.type().isInstance(value)) {
                throw new IllegalArgumentException("Invalid value '" + value + "'");
            }
            kept.put(name, value instanceof Integer seconds ? clipped(seconds) : value);
            note(name, value);
        } else {
            createTcp();
            super.set(name, value);
        }
    }

    @Override
    <T> T get(SocketOption<T> name) throws IOException {
        if (DEFAULTS.containsKey(name)) {
            return name.type().cast(kept.get(name));
        }
        createTcp();
        return super.get(name);
    }

    private void createTcp() throws SocketException {
        lock.lock();
        try {
            if (!tcpCreated && !closed) {
                tcp().create(true);
                tcpCreated = true;
                inherit();
            }
        } catch (IOException e) {
            throw e instanceof SocketException same ? same : new SocketException(e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    /** Gives the fresh TCP socket the options that an accepted one would have. */
    @SuppressWarnings("unchecked") // each value was set under that name
    private void inherit() throws IOException {
        for (Map.Entry<Object, Object> option : inherited.entrySet()) {
            if (option.getKey() instanceof Integer id) {
                tcp().setOption(id, option.getValue());
            } else {
                tcp().setOption((SocketOption<Object>) option.getKey(), option.getValue());
            }
        }
    }

    private static SocketOption<?> nameOf(int id) {
        return switch (id) {
            case SocketOptions.TCP_NODELAY -> StandardSocketOptions.TCP_NODELAY;
            case SocketOptions.SO_KEEPALIVE -> StandardSocketOptions.SO_KEEPALIVE;
            case SocketOptions.SO_LINGER -> StandardSocketOptions.SO_LINGER;
            default -> null;
        };
    }
}
