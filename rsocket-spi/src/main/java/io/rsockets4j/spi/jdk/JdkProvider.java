/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.jdk;

import io.rsockets4j.core.log.Log;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ServiceConfigurationError;

/**
 * The JDK's own selector provider, which no public API names once another one is installed, and the internal operations
 * on its channels that ours need. Thread-safe.
 */
public final class JdkProvider {
    private static final String PACKAGE = "sun.nio.ch";
    private static final SelectorProvider PROVIDER = find();

    private JdkProvider() { }

    /**
     * The provider that this JDK uses by default.
     *
     * @return the same object each time
     */
    public static SelectorProvider get() {
        return PROVIDER;
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
            Kill.HANDLE.invoke(channel);
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
            Park.HANDLE.invoke(channel, nanos);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    /**
     * Makes a channel of the listener of a {@link java.net.ServerSocket}, which no selector takes. It serves to wait
     * alone: it must not be used to accept, and never be closed, since that would close the descriptor.
     *
     * @param descriptor of a listener that is bound
     * @return a channel in blocking mode
     * @throws IOException if there can be none
     */
    public static ServerSocketChannel listener(FileDescriptor descriptor) throws IOException {
        ProtocolFamily unused = StandardProtocolFamily.INET; // matters only to bind
        try {
            return (ServerSocketChannel) Listener.CONSTRUCTOR.invokeExact(PROVIDER, unused, descriptor, true);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    private static SelectorProvider find() {
        try {
            export(PACKAGE, JdkProvider.class.getModule());
            Module core = Log.class.getModule();
            export(PACKAGE, core);
            export("jdk.internal.misc", core);
            return (SelectorProvider) Class.forName(PACKAGE + ".DefaultSelectorProvider").getMethod("get").invoke(null);
        } catch (Throwable e) {
            throw new ServiceConfigurationError("rsockets4j cannot reach the JDK's own sockets; start the program with"
                    + " --add-exports java.base/" + PACKAGE + "=ALL-UNNAMED"
                    + " --add-exports java.base/jdk.internal.misc=ALL-UNNAMED or with -javaagent:rsockets4j.jar", e);
        }
    }

    /** Does what an option of the command line or the agent should have done. */
    private static void export(String name, Module user) throws Throwable {
        if (!Object.class.getModule().isExported(name, user)) {
            ImplLookup.export(name, user);
        }
    }

    /** A method of all channels of the JDK's. */
    private static MethodHandle method(String name, Class<?>... parameters) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        return lookup.findVirtual(Class.forName(PACKAGE + ".SelChImpl"), name,
                MethodType.methodType(void.class, parameters));
    }

    /** Made when it is needed, as handles take a while to make. */
    private static final class Kill {
        static final MethodHandle HANDLE = find();

        private Kill() { }

        private static MethodHandle find() {
            try {
                return method("kill");
            } catch (ReflectiveOperationException e) {
                throw new ServiceConfigurationError("this JDK's channels are not as expected", e);
            }
        }
    }

    /** The same, for virtual threads. */
    private static final class Park {
        static final MethodHandle HANDLE = find();

        private Park() { }

        private static MethodHandle find() {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                short read = (short) lookup.findStaticGetter(Class.forName(PACKAGE + ".Net"), "POLLIN", short.class)
                        .invoke();
                return MethodHandles.insertArguments(method("park", int.class, long.class), 1, (int) read);
            } catch (Throwable e) {
                throw new ServiceConfigurationError("this JDK's channels are not as expected", e);
            }
        }
    }

    /** The same, for server sockets. */
    private static final class Listener {
        static final MethodHandle CONSTRUCTOR = find();

        private Listener() { }

        private static MethodHandle find() {
            try {
                Class<?> type = Class.forName(PACKAGE + ".ServerSocketChannelImpl");
                MethodHandle constructor = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                        .findConstructor(type, MethodType.methodType(void.class, SelectorProvider.class,
                                ProtocolFamily.class, FileDescriptor.class, boolean.class));
                return constructor.asType(constructor.type().changeReturnType(ServerSocketChannel.class));
            } catch (ReflectiveOperationException e) {
                throw new ServiceConfigurationError("this JDK makes no channel from a descriptor", e);
            }
        }
    }
}
