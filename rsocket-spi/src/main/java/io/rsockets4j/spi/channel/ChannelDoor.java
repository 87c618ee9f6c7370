/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.net.RSockets4jDoor;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * What the agent puts into the JDK where it treats its own channels better than others: streams around a channel, and
 * transfers between a channel and a file. Thread-safe.
 */
public final class ChannelDoor {
    private static final Log LOG = Log.of(ChannelDoor.class);
    private static Runnable hook; // until the first channel; guarded by the class' monitor
    private static volatile boolean earlySelectors;

    private ChannelDoor() { }

    /**
     * Has the hooked JDK ask us: with each channel that is to become a stream, what stream; with each transfer between
     * a file and a channel, what does it. The answer is null for a channel that is not ours.
     *
     * @param beforeFirst what is to be done before a program has its first channel of ours; run once by the thread that
     *     opens the door
     */
    public static synchronized void install(Runnable beforeFirst) {
        hook = beforeFirst;
        RSockets4jDoor.input = new Input();
        RSockets4jDoor.output = new Output();
        RSockets4jDoor.transferTo = new TransferTo();
        RSockets4jDoor.transferFrom = new TransferFrom();
    }

    /**
     * Has the hooked JDK answer with a provider of ours, and ask us with a selector of its own, a channel that is to be
     * registered with it, its interest and its attachment. The answer is null for a channel that is not ours, or cannot
     * be registered.
     *
     * @param provider of selectors and channels; an Object, as the JVM would else load its class to check the caller's
     */
    public static void provideSelectors(Object provider) {
        RSockets4jDoor.selectors = new Answer(provider);
        RSockets4jDoor.register = new Register();
    }

    /**
     * Has the hooked JDK answer with a provider of ours.
     *
     * @param provider of asynchronous channels; an Object, as above
     */
    public static void provideAsynchronous(Object provider) {
        RSockets4jDoor.asynchronous = new Answer(provider);
    }

    /**
     * The program may have selectors of the JDK's, opened before the agent came. A channel that connects before a
     * selector of ours has it goes by TCP from now on, as it may meet one of those.
     */
    public static void expectEarlySelectors() {
        earlySelectors = true;
    }

    static boolean mayMeetEarlySelectors() {
        return earlySelectors;
    }

    /** There will be a channel: does what is to be done before the first one. */
    public static synchronized void open() {
        Runnable task = hook;
        hook = null;
        if (task != null) {
            task.run();
        }
    }

    // Classes rather than lambdas, which would cost every program 20 ms at its start.

    /** Answers with the provider, whatever is asked. */
    private record Answer(Object provider) implements Function<Object, Object> {
        @Override
        public Object apply(Object nothing) {
            return provider;
        }
    }

    private static final class Input implements Function<Object, Object> {
        @Override
        public Object apply(Object channel) {
            return channel instanceof RSocketChannel ours ? new ChannelInput(ours) : null;
        }
    }

    private static final class Output implements Function<Object, Object> {
        @Override
        public Object apply(Object channel) {
            return channel instanceof RSocketChannel ours ? new ChannelOutput(ours) : null;
        }
    }

    private static final class TransferTo implements Function<Object[], Callable<Long>> {
        @Override
        public Callable<Long> apply(Object[] arguments) {
            return arguments[3] instanceof RSocketChannel ours ? () -> FileTransfer.toChannel(
                    (FileChannel) arguments[0], (Long) arguments[1], (Long) arguments[2], ours) : null;
        }
    }

    private static final class Register implements Function<Object[], SelectionKey> {
        @Override
        public SelectionKey apply(Object[] arguments) {
            if (!(arguments[1] instanceof FabricChannel ours)) {
                return null;
            }
            try {
                SelectableChannel jdk = ours.leaveFabrics();
                if (jdk != null) {
                    return jdk.register((Selector) arguments[0], (Integer) arguments[2], arguments[3]);
                }
                LOG.log(System.Logger.Level.WARNING, "rsockets4j: a selector that was opened before the agent was"
                        + " loaded can watch TCP alone; start the program with -javaagent");
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "no TCP channel for a selector of the JDK's", e);
            }
            return null; // the selector refuses it
        }
    }

    private static final class TransferFrom implements Function<Object[], Callable<Long>> {
        @Override
        public Callable<Long> apply(Object[] arguments) {
            return arguments[1] instanceof RSocketChannel ours ? () -> FileTransfer.fromChannel(
                    (FileChannel) arguments[0], ours, (Long) arguments[2], (Long) arguments[3]) : null;
        }
    }
}
