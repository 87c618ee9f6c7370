/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.spi.stream.AcceptedOptions;
import io.rsockets4j.spi.stream.SocketExceptions;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;

/** The options of an accepted link, whose TCP socket is never made. Thread-safe. */
final class AcceptedSettings extends SocketSettings {
    private final AcceptedOptions options;

    AcceptedSettings(TcpSocket tcp, ListenerSettings listener) {
        super(tcp);
        options = new AcceptedOptions(listener.inherited());
    }

    @Override
    boolean isLeftToTcp(SocketOption<?> name) {
        return false; // the options know
    }

    @Override
    void set(int id, Object value) throws SocketException {
        if (id != SocketOptions.SO_TIMEOUT) {
            boolean off = id == SocketOptions.SO_LINGER && Boolean.FALSE.equals(value);
            try {
                options.set(named(id), off ? (Integer) (-1) : value);
            } catch (IOException e) {
                throw SocketExceptions.of(e);
            }
        }
        note(id, value);
    }

    @Override
    Object get(int id) throws SocketException {
        try {
            return id == SocketOptions.SO_TIMEOUT ? (Integer) getAsInt() : options.get(named(id));
        } catch (IOException e) {
            throw SocketExceptions.of(e);
        }
    }

    @SuppressWarnings("unchecked") // the JDK's socket has checked the value
    private static SocketOption<Object> named(int id) throws SocketException {
        SocketOption<?> name = nameOf(id);
        if (id == SocketOptions.SO_OOBINLINE) {
            for (SocketOption<?> any : AcceptedOptions.supported()) {
                name = any.name().equals("SO_OOBINLINE") ? any : name;
            }
        }
        if (name == null) {
            throw new SocketException("Unknown option " + id);
        }
        return (SocketOption<Object>) name;
    }

    @Override
    <T> void set(SocketOption<T> name, T value) throws IOException {
        check(name);
        if (!name.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
        options.set(name, value);
        note(name, value);
    }

    @Override
    <T> T get(SocketOption<T> name) throws IOException {
        check(name);
        return options.get(name);
    }

    private void check(SocketOption<?> name) {
        if (!tcp().supportedOptions().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }
}
