/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The options of a listener, which accepted links inherit. Thread-safe. */
final class ListenerSettings extends SocketSettings {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Map<Object, Object> set; // number or name to value; replaced whole, under lock
    private volatile boolean timeoutIsOurs; // only ever becomes true

    ListenerSettings(TcpSocket tcp) {
        super(tcp);
        set = Map.of(SocketOptions.SO_REUSEADDR, true); // as the JDK's listeners have it from the start
    }

    /** From now on the TCP listener has a timeout of its own, which the program does not see. */
    void replaceTcpTimeout(int tcpTimeoutMillis) throws SocketException {
        timeoutIsOurs = true;
        tcp().setOption(SocketOptions.SO_TIMEOUT, tcpTimeoutMillis);
    }

    /** What was set so far, by number or name, in order: a connection that is accepted now inherits it. */
    Map<Object, Object> inherited() {
        return set;
    }

    @Override
    void set(int id, Object value) throws SocketException {
        if (id != SocketOptions.SO_TIMEOUT) {
            super.set(id, value);
            remember(id, value);
        } else if (timeoutIsOurs) {
            note(id, value);
        } else {
            super.set(id, value);
        }
    }

    @Override
    Object get(int id) throws SocketException {
        return id == SocketOptions.SO_TIMEOUT ? (Integer) timeoutMillis() : super.get(id);
    }

    @Override
    <T> void set(SocketOption<T> name, T value) throws IOException {
        super.set(name, value);
        remember(name, value);
    }

    private void remember(Object key, Object value) {
        lock.lock();
        try {
            Map<Object, Object> more = new LinkedHashMap<>(set);
            more.remove(key); // the latest comes last
            more.put(key, value);
            set = Collections.unmodifiableMap(more);
        } finally {
            lock.unlock();
        }
    }
}
