/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Waiter;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * Waits for a TCP listener and an {@link AcceptQueue} at the same time.
 *
 * <p>The listener belongs to a {@link java.net.ServerSocket}, which no selector takes. So its descriptor is put into a
 * channel of the JDK's that serves the selector alone: it is never used to accept, and never closed, since that would
 * close the descriptor. All methods but {@link #ring} belong to the thread that holds the accept lock.
 */
final class ListenerSelector implements Waiter {
    private static final MethodHandle CHANNEL = channelConstructor();

    private final AcceptQueue queue;
    private final Selector selector;
    private volatile boolean sleeping;

    /**
     * Registers a listener.
     *
     * @param descriptor of a listener that is bound; becomes non-blocking
     * @param queue rings this from now on
     * @throws IOException if the descriptor cannot be registered
     */
    ListenerSelector(FileDescriptor descriptor, AcceptQueue queue) throws IOException {
        this.queue = queue;
        SelectorProvider jdk = DefaultSelectorProvider.get();
        selector = jdk.openSelector();
        try {
            ServerSocketChannel channel = channel(jdk, descriptor);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
        queue.addWaiter(this);
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

    /**
     * Waits until a TCP connection or a link is there, or a reason to look at the state again.
     *
     * @param deadlineNanos from {@link Deadline#after}
     * @return whether a TCP connection is there
     * @throws IOException if the selector fails
     */
    boolean await(long deadlineNanos) throws IOException {
        sleeping = true; // volatile store before the load in isPending: pairs with the load in ring
        try {
            if (queue.isPending() || Deadline.isPast(deadlineNanos)) {
                return isAcceptable();
            }
            selector.select(Deadline.remainingMillis(deadlineNanos));
        } finally {
            sleeping = false;
        }
        return takeSelected();
    }

    /**
     * Looks for a TCP connection without waiting.
     *
     * @return whether one is there
     * @throws IOException if the selector fails
     */
    boolean isAcceptable() throws IOException {
        selector.selectNow();
        return takeSelected();
    }

    private boolean takeSelected() {
        boolean selected = !selector.selectedKeys().isEmpty();
        selector.selectedKeys().clear();
        return selected;
    }

    @Override
    public void ring(Object source) {
        if (sleeping) { // after the queue's volatile store of its size: pairs with await
            selector.wakeup();
        }
    }

    /** Ends a wait in {@link #await}, or the next one. Any thread. */
    void wakeup() {
        selector.wakeup();
    }

    /** Lets go of the descriptor, which must still be open. */
    void close() throws IOException {
        queue.removeWaiter(this);
        selector.close();
    }
}
