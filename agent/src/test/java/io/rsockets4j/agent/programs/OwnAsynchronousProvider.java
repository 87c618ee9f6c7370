/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/** Brings its own asynchronous channels, as a service, and prints whose it gets. */
public final class OwnAsynchronousProvider extends AsynchronousChannelProvider {
    /**
     * Prints the provider.
     *
     * @param args none
     */
    public static void main(String[] args) {
        System.out.println(provider().getClass().getName());
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group) {
        throw new UnsupportedOperationException();
    }
}
