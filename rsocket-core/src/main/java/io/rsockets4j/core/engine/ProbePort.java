/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static java.lang.System.Logger.Level.DEBUG;

import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** The local port of a connection that no program asked for. */
final class ProbePort implements LocalPort {
    private static final Log LOG = EngineLog.LOG;

    private final Socket socket = new Socket();

    @Override
    public InetSocketAddress reserve(InetAddress source) throws IOException {
        if (!socket.isBound()) {
            socket.bind(new InetSocketAddress(source, 0));
        }
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    @Override
    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void release() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(DEBUG, "rsockets4j: cannot close the probe's port: " + e.getMessage());
        }
    }
}
