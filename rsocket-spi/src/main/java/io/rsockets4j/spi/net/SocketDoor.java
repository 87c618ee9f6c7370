/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.EngineHolder;
import java.net.RSockets4jDoor;
import java.net.SocketImpl;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * What the agent puts into the JDK's socket factory: each new platform implementation comes by here and leaves with
 * ours around it. Thread-safe.
 */
public final class SocketDoor {
    private static volatile boolean made; // a socket of ours: servers among them accept into nothing else

    private SocketDoor() { }

    /**
     * Has the hooked JDK ask us: with each socket implementation that it makes, what the socket is to use instead; and
     * with what one of its own is to accept a connection into, where its server socket was made before the agent came.
     */
    public static void install() {
        RSockets4jDoor.wrapper = new Wrapper();
        RSockets4jDoor.unwrapper = new Unwrapper();
    }

    // Classes rather than lambdas, which would cost every program 20 ms at its start. What they pass on they call an
    // Object, since to check these classes the JVM would else load RSocketImpl, which many a program never needs.

    private static final class Wrapper implements BiFunction<Object, Boolean, Object> {
        @Override
        public Object apply(Object original, Boolean server) {
            if (Engine.isBarred() && (server || !made)) {
                return original;
            }
            Engine engine = EngineHolder.instance();
            if (engine == null || engine.isPlainTcp()) { // null: this thread makes it, and that wants a socket
                return original;
            }
            if (!made) {
                made = true;
            }
            return new RSocketImpl(engine, (SocketImpl) original, server);
        }
    }

    private static final class Unwrapper implements UnaryOperator<Object> {
        @Override
        public Object apply(Object impl) {
            return made && impl instanceof RSocketImpl ours ? ours.tcp().impl() : impl;
        }
    }
}
