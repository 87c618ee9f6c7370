/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.BufferSizes;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;

/**
 * The options of one socket. They live in its TCP socket, so that every answer is TCP's; kept here too is what a link
 * needs to know. Thread-safe.
 */
class SocketSettings {
    private final TcpSocket tcp;
    private volatile int timeoutMillis;
    private volatile int lingerSeconds = -1;
    private volatile boolean keepAlive;
    private volatile boolean urgentInline;
    private volatile boolean sendBuffer; // SO_SNDBUF was set
    private volatile boolean receiveBuffer; // SO_RCVBUF was set

    SocketSettings(TcpSocket tcp) {
        this.tcp = tcp;
    }

    final TcpSocket tcp() {
        return tcp;
    }

    /** SO_TIMEOUT, in milliseconds; 0 waits for ever. */
    final int timeoutMillis() {
        return timeoutMillis;
    }

    /** SO_LINGER, in seconds; negative when off. */
    final int lingerSeconds() {
        return lingerSeconds;
    }

    /** Whether SO_KEEPALIVE was set. */
    final boolean keepAlive() {
        return keepAlive;
    }

    /** Whether SO_OOBINLINE was set. */
    final boolean urgentInline() {
        return urgentInline;
    }

    /** The sizes of buffers that were set, as TCP reports them. */
    final BufferSizes askedBuffers() throws SocketException {
        if (!sendBuffer && !receiveBuffer) {
            return BufferSizes.UNSET;
        }
        return new BufferSizes(sendBuffer ? (Integer) tcp.getOption(SocketOptions.SO_SNDBUF) : 0,
                receiveBuffer ? (Integer) tcp.getOption(SocketOptions.SO_RCVBUF) : 0);
    }

    /** Whether an option is the size of a buffer that was never set. */
    boolean isLeftToTcp(Object key) {
        return isSendBuffer(key) && !sendBuffer || isReceiveBuffer(key) && !receiveBuffer;
    }

    private static boolean isSendBuffer(Object key) {
        return key.equals(SocketOptions.SO_SNDBUF) || key == StandardSocketOptions.SO_SNDBUF;
    }

    static boolean isReceiveBuffer(Object key) {
        return key.equals(SocketOptions.SO_RCVBUF) || key == StandardSocketOptions.SO_RCVBUF;
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
    final void note(Object key, Object value) {
        if (key.equals(SocketOptions.SO_TIMEOUT)) {
            timeoutMillis = (Integer) value;
        } else if (key.equals(SocketOptions.SO_LINGER) || key == StandardSocketOptions.SO_LINGER) {
            lingerSeconds = value instanceof Integer seconds ? seconds : -1;
        } else if (key.equals(SocketOptions.SO_KEEPALIVE) || key == StandardSocketOptions.SO_KEEPALIVE) {
            keepAlive = (Boolean) value;
        } else if (key.equals(SocketOptions.SO_OOBINLINE)) {
            urgentInline = (Boolean) value;
        } else {
            sendBuffer |= isSendBuffer(key);
            receiveBuffer |= isReceiveBuffer(key);
        }
    }
}
