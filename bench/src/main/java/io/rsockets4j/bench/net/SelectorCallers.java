/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_READ;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/** A client's connections that share one {@link Selector} and one thread, which reads all answers. */
public final class SelectorCallers implements Closeable {

    private final Selector selector;
    private volatile boolean closed;

    /**
     * Makes a selector without connections.
     *
     * @throws IOException if it cannot be opened
     */
    public SelectorCallers() throws IOException {
        selector = Selector.open();
    }

    /**
     * Connects, before {@link #start}.
     *
     * @param port the server's port
     * @param call what to do with the connection
     * @return the connection
     * @throws IOException if it is refused
     */
    public Caller connect(int port, Call call) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(Host.address(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, OP_READ);
        SelectorCaller caller = new SelectorCaller(key, channel, call);
        key.attach(caller);
        return caller;
    }

    /** Starts the thread. */
    public void start() {
        BlockingServer.start("select answers", this::run);
    }

    private void run() {
        try (selector) {
            while (!closed) {
                selector.select();
                Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
                while (selected.hasNext()) {
                    SelectionKey key = selected.next();
                    selected.remove();
                    if (key.isValid()) {
                        ((SelectorCaller) key.attachment()).onReady();
                    }
                }
            }
        } catch (IOException e) {
            System.err.println("select answers: " + e);
        }
    }

    /** Lets the thread end, which closes the selector; the connections are closed by their owners. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
