/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.jdk;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ServiceConfigurationError;

/**
 * The JDK's own selector provider, which no public API names once another one is installed, and the one internal
 * operation on its channels that our selector needs. Thread-safe.
 */
public final class JdkProvider {
    private static final String PACKAGE = "sun.nio.ch";
    private static final JdkProvider INSTANCE = find();

    private final SelectorProvider provider;
    private final MethodHandle kill;

    private JdkProvider(SelectorProvider provider, MethodHandle kill) {
        this.provider = provider;
        this.kill = kill;
    }

    /**
     * The provider that this JDK uses by default.
     *
     * @return the same object each time
     */
    public static SelectorProvider get() {
        return INSTANCE.provider;
    }

    /**
     * Frees the descriptor of a closed JDK channel. A JDK selector does so when it removes the channel's last key, but
     * it cannot where the last key is ours.
     *
     * @param channel made by {@link #get}, closed, and registered nowhere any more; otherwise nothing happens
     * @throws IOException if the descriptor cannot be closed
     */
    public static void finishClose(SelectableChannel channel) throws IOException {
        if (channel.isOpen() || channel.isRegistered()) {
            return;
        }
        try {
            INSTANCE.kill.invoke(channel);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    private static JdkProvider find() {
        try {
            MethodHandles.Lookup lookup = lookup();
            Class<?> maker = Class.forName(PACKAGE + ".DefaultSelectorProvider");
            Class<?> channel = Class.forName(PACKAGE + ".SelChImpl");
            MethodHandle get = lookup.unreflect(maker.getMethod("get"));
            MethodHandle kill = lookup.findVirtual(channel, "kill", MethodType.methodType(void.class));
            return new JdkProvider((SelectorProvider) get.invoke(), kill);
        } catch (Throwable e) {
            throw new ServiceConfigurationError("rsockets4j cannot reach the JDK's own sockets; start the program with"
                    + " --add-exports java.base/" + PACKAGE + "=ALL-UNNAMED or with -javaagent:rsockets4j.jar", e);
        }
    }

    private static MethodHandles.Lookup lookup() throws ReflectiveOperationException {
        boolean exported = Object.class.getModule().isExported(PACKAGE, JdkProvider.class.getModule());
        return exported ? MethodHandles.lookup() : ImplLookup.get();
    }
}
