/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The options of a listener, which accepted links inherit. Thread-safe. */
final class ListenerSettings extends SocketSettings {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Map<SocketOption<?>, Object> set; // replaced whole, under lock
    private volatile boolean timeoutIsOurs; // only ever becomes true

    ListenerSettings(TcpSocket tcp) {
        super(tcp);
        set = Map.of(StandardSocketOptions.SO_REUSEADDR, true); // as the JDK's listeners have it from the start
    }

    /** From now on the TCP listener has a timeout of its own, which the program does not see. */
    void replaceTcpTimeout(int tcpTimeoutMillis) throws SocketException {
        timeoutIsOurs = true;
        tcp().setOption(SocketOptions.SO_TIMEOUT, tcpTimeoutMillis);
    }

    /** What was set so far: a connection that is accepted now inherits it. */
    Map<SocketOption<?>, Object> inherited() {
        return set;
    }

    @Override
    void set(int id, Object value) throws SocketException {
        if (id == SocketOptions.SO_TIMEOUT && timeoutIsOurs) {
            note(id, value);
            return;
        }
        super.set(id, value);
        SocketOption<?> name = nameOf(id);
        if (name != null) {
            remember(name, tcp().getOption(id));
        }
    }

    @Override
    Object get(int id) throws SocketException {
        return id == SocketOptions.SO_TIMEOUT ? (Integer) getAsInt() : super.get(id);
    }

    @Override
    <T> void set(SocketOption<T> name, T value) throws IOException {
        super.set(name, value);
        remember(name, tcp().getOption(name));
    }

    /** Keeps what the kernel has made of a value. */
    private void remember(SocketOption<?> name, Object value) {
        lock.lock();
        try {
            Map<SocketOption<?>, Object> more = new HashMap<>(set);
            more.put(name, value);
            set = more;
        } finally {
            lock.unlock();
        }
    }
}
