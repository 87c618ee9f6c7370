/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.spi.accept.AcceptSleep;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * Makes what waits for the TCP listener of a {@link java.net.ServerSocket}, which no selector takes: its descriptor is
 * put into a channel of the JDK's that serves for waiting alone. That is never used to accept, and never closed, since
 * that would close the descriptor.
 */
final class ListenerChannel {
    private static final MethodHandle CHANNEL = channelConstructor();

    private ListenerChannel() { }

    /**
     * Prepares to wait for a listener.
     *
     * @param descriptor of a listener that is bound; becomes non-blocking
     * @param queue what else to wait for
     * @return to be closed while the descriptor is still open
     * @throws IOException if the descriptor cannot be registered
     */
    static AcceptSleep sleepOn(FileDescriptor descriptor, AcceptQueue queue) throws IOException {
        ServerSocketChannel channel = channel(JdkProvider.get(), descriptor);
        channel.configureBlocking(false);
        return new AcceptSleep(queue, channel, Engine.instance().lendBell());
    }

    private static MethodHandle channelConstructor() {
        try {
            Class<?> type = Class.forName("sun.nio.ch.ServerSocketChannelImpl");
            MethodHandle constructor = MethodHandles.privateLookupIn(type, MethodHandles.lookup()).findConstructor(type,
                    MethodType.methodType(void.class, SelectorProvider.class, ProtocolFamily.class,
                            FileDescriptor.class, boolean.class));
            return constructor.asType(constructor.type().changeReturnType(ServerSocketChannel.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK makes no channel from a descriptor", e);
        }
    }

    private static ServerSocketChannel channel(SelectorProvider provider, FileDescriptor descriptor)
            throws IOException {
        ProtocolFamily unused = StandardProtocolFamily.INET; // matters only to bind
        try {
            return (ServerSocketChannel) CHANNEL.invokeExact(provider, unused, descriptor, true);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
