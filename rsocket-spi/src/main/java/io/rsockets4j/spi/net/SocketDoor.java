/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.engine.Engine;
import java.net.SocketImpl;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * What the agent puts into the JDK's socket factory: each new platform implementation comes by here and leaves with
 * ours around it. Thread-safe.
 */
public final class SocketDoor {
    private SocketDoor() { }

    /**
     * Called with each socket implementation that the JDK makes, and whether it is for a server.
     *
     * @return the function, which answers what the socket is to use instead
     */
    public static BiFunction<SocketImpl, Boolean, SocketImpl> wrapper() {
        return new Wrapper();
    }

    /**
     * Called with what a JDK implementation is to accept a connection into, where its server socket was made before
     * the agent came.
     *
     * @return the function, which answers the JDK's own implementation
     */
    public static UnaryOperator<SocketImpl> unwrapper() {
        return new Unwrapper();
    }

    // Classes rather than lambdas, which would cost every program 20 ms at its start.

    private static final class Wrapper implements BiFunction<SocketImpl, Boolean, SocketImpl> {
        @Override
        public SocketImpl apply(SocketImpl original, Boolean server) {
            if (Engine.isBarred()) {
                return original;
            }
            Engine engine = Engine.instance();
            if (engine == null) { // this thread makes it right now, and something there wants a socket
                return original;
            }
            return engine.isPlainTcp() ? original : new RSocketImpl(original, server);
        }
    }

    private static final class Unwrapper implements UnaryOperator<SocketImpl> {
        @Override
        public SocketImpl apply(SocketImpl impl) {
            return impl instanceof RSocketImpl ours ? ours.tcp().impl() : impl;
        }
    }
}
