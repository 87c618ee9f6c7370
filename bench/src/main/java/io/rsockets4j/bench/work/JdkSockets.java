/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** Makes the sockets that a program without the agent gets, in a JVM that has it, by the JDK's internal classes. */
final class JdkSockets {
    private static final SelectorProvider PROVIDER;
    private static final MethodHandle PLATFORM; // boolean server -> SocketImpl
    private static final MethodHandle SOCKS; // SocketImpl -> SocketImpl: what a new Socket has around it

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PROVIDER = (SelectorProvider) Class.forName("sun.nio.ch.DefaultSelectorProvider").getMethod("get")
                    .invoke(null);
            PLATFORM = lookup.unreflectConstructor(
                    Class.forName("sun.nio.ch.NioSocketImpl").getConstructor(boolean.class))
                    .asType(MethodType.methodType(SocketImpl.class, boolean.class));
            Constructor<?> socks = Class.forName("java.net.SocksSocketImpl").getDeclaredConstructor(SocketImpl.class);
            socks.setAccessible(true);
            SOCKS = lookup.unreflectConstructor(socks)
                    .asType(MethodType.methodType(SocketImpl.class, SocketImpl.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private JdkSockets() {}

    static SocketChannel channel() throws IOException {
        return PROVIDER.openSocketChannel();
    }

    static Socket socket() throws IOException {
        try {
            SocketImpl platform = (SocketImpl) PLATFORM.invokeExact(false);
            return new PlainSocket((SocketImpl) SOCKS.invokeExact(platform));
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A socket of a given implementation. */
    private static final class PlainSocket extends Socket {
        PlainSocket(SocketImpl impl) throws SocketException {
            super(impl);
        }
    }
}
