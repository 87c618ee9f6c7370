/* SPDX-License-Identifier: Apache-2.0 */
package java.net;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SelectionKey;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What rsockets4j adds to {@code java.base} when its agent starts, both ways: functions that the JDK's hooked methods
 * call, as they cannot see classes of ours, and the protected methods of {@link SocketImpl} for ours to call. A package
 * of one loader may call them; by method handles they would cost a first connect 5 to 9 ms.
 *
 * <p>Knows nothing of rsockets4j. The functions are set before the first hooked method runs; thread-safe.
 */
public final class RSockets4jDoor {
    /** Wraps what {@code SocketImpl.createPlatformSocketImpl} makes, and whether it is for a server. */
    public static volatile BiFunction<Object, Boolean, Object> wrapper;
    /** Unwraps what {@code NioSocketImpl.accept} is to accept into. */
    public static volatile UnaryOperator<Object> unwrapper;
    /** Answers {@code Channels.newInputStream}, or null. */
    public static volatile Function<Object, Object> input;
    /** Answers {@code Channels.newOutputStream}, or null. */
    public static volatile Function<Object, Object> output;
    /** Answers {@code FileChannelImpl.transferToArbitraryChannel}, or null. */
    public static volatile Function<Object[], Callable<Long>> transferTo;
    /** Answers {@code FileChannelImpl.transferFromArbitraryChannel}, or null. */
    public static volatile Function<Object[], Callable<Long>> transferFrom;
    /** Answers {@code SelectorProvider.provider}. */
    public static volatile Function<Object, Object> selectors;
    /** Answers {@code AsynchronousChannelProvider.provider}. */
    public static volatile Function<Object, Object> asynchronous;
    /** Answers {@code SelectorImpl.register}, or null. */
    public static volatile Function<Object[], SelectionKey> register;

    private RSockets4jDoor() { }

    /** As {@link SocketImpl} says. */
    public static void create(SocketImpl impl, boolean stream) throws IOException {
        impl.create(stream);
    }

    /** As {@link SocketImpl} says. */
    public static void connect(SocketImpl impl, SocketAddress remote, int timeoutMillis) throws IOException {
        impl.connect(remote, timeoutMillis);
    }

    /** As {@link SocketImpl} says. */
    public static void bind(SocketImpl impl, InetAddress host, int port) throws IOException {
        impl.bind(host, port);
    }

    /** As {@link SocketImpl} says. */
    public static void listen(SocketImpl impl, int backlog) throws IOException {
        impl.listen(backlog);
    }

    /** As {@link SocketImpl} says. */
    public static void accept(SocketImpl impl, SocketImpl target) throws IOException {
        impl.accept(target);
    }

    /** As {@link SocketImpl} says. */
    public static InputStream inputStream(SocketImpl impl) throws IOException {
        return impl.getInputStream();
    }

    /** As {@link SocketImpl} says. */
    public static OutputStream outputStream(SocketImpl impl) throws IOException {
        return impl.getOutputStream();
    }

    /** As {@link SocketImpl} says. */
    public static int available(SocketImpl impl) throws IOException {
        return impl.available();
    }

    /** As {@link SocketImpl} says. */
    public static void close(SocketImpl impl) throws IOException {
        impl.close();
    }

    /** As {@link SocketImpl} says. */
    public static void shutdownInput(SocketImpl impl) throws IOException {
        impl.shutdownInput();
    }

    /** As {@link SocketImpl} says. */
    public static void shutdownOutput(SocketImpl impl) throws IOException {
        impl.shutdownOutput();
    }

    /** As {@link SocketImpl} says. */
    public static boolean supportsUrgentData(SocketImpl impl) {
        return impl.supportsUrgentData();
    }

    /** As {@link SocketImpl} says. */
    public static void sendUrgentData(SocketImpl impl, int data) throws IOException {
        impl.sendUrgentData(data);
    }

    /** As {@link SocketImpl} says. */
    public static FileDescriptor descriptor(SocketImpl impl) {
        return impl.getFileDescriptor();
    }

    /** As {@link SocketImpl} says. */
    public static InetAddress address(SocketImpl impl) {
        return impl.getInetAddress();
    }

    /** As {@link SocketImpl} says. */
    public static int port(SocketImpl impl) {
        return impl.getPort();
    }

    /** As {@link SocketImpl} says. */
    public static int localPort(SocketImpl impl) {
        return impl.getLocalPort();
    }

    /** As {@link SocketImpl} says. */
    public static <T> void setOption(SocketImpl impl, SocketOption<T> name, T value) throws IOException {
        impl.setOption(name, value);
    }

    /** As {@link SocketImpl} says. */
    public static <T> T getOption(SocketImpl impl, SocketOption<T> name) throws IOException {
        return impl.getOption(name);
    }

    /** As {@link SocketImpl} says. */
    public static Set<SocketOption<?>> supportedOptions(SocketImpl impl) {
        return impl.supportedOptions();
    }
}
