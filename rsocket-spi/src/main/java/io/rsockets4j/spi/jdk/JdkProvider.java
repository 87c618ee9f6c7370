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
 * The JDK's own selector provider, which no public API names once another one is installed, and the internal operations
 * on its channels that ours need. Thread-safe.
 */
public final class JdkProvider {
    private static final String PACKAGE = "sun.nio.ch";
    private static final JdkProvider INSTANCE = find();

    private final SelectorProvider provider;
    private final MethodHandle kill;
    private final MethodHandle park;

    private JdkProvider(SelectorProvider provider, MethodHandle kill, MethodHandle park) {
        this.provider = provider;
        this.kill = kill;
        this.park = park;
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

    /**
     * Parks the calling virtual thread until a channel can be read or accepted from, as the JDK does in its blocking
     * calls: the carrier is free meanwhile. Ends too when the thread is unparked or interrupted, and at once if the
     * channel is closed; may return for no reason. The descriptor must stay open until this returns, and no other
     * thread may wait for it in this way.
     *
     * @param channel made by {@link #get}
     * @param nanos the longest wait, 0 for ever
     * @throws IOException if the JDK's poller fails
     */
    public static void parkUntilReadable(SelectableChannel channel, long nanos) throws IOException {
        try {
            INSTANCE.park.invoke(channel, nanos);
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
            MethodHandle park = lookup.findVirtual(channel, "park",
                    MethodType.methodType(void.class, int.class, long.class));
            short read = (short) lookup.findStaticGetter(Class.forName(PACKAGE + ".Net"), "POLLIN", short.class)
                    .invoke();
            return new JdkProvider((SelectorProvider) get.invoke(), kill,
                    MethodHandles.insertArguments(park, 1, (int) read));
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
