/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.TcpWatch;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/** Watches a listener's TCP side from the service thread's selector, one client at a time. */
final class ListenerWatch implements TcpWatch, ServiceThread.Handler, Runnable {
    private static final Log LOG = Log.of(ListenerWatch.class);
    private static final long CLOSE_NANOS = 1_000_000_000L;

    private final ServiceThread service;
    private final ServerSocketChannel tcp;
    private final Runnable onClient;
    private final AtomicBoolean expecting = new AtomicBoolean();
    private boolean registered; // service thread
    private volatile boolean closed; // written by the service thread

    ListenerWatch(ServiceThread service, ServerSocketChannel tcp, Runnable onClient) {
        this.service = service;
        this.tcp = tcp;
        this.onClient = onClient;
    }

    @Override
    public boolean expect() {
        if (closed) {
            return false;
        }
        if (!expecting.get() && expecting.compareAndSet(false, true)) {
            service.execute(this);
        }
        return true;
    }

    /** Looks for a client from now on; what {@link #expect} has the service thread do. */
    @Override
    public void run() {
        if (closed) {
            return;
        }
        try {
            if (registered) {
                service.expect(tcp, SelectionKey.OP_ACCEPT);
            } else {
                service.register(tcp, SelectionKey.OP_ACCEPT, this);
                registered = true;
            }
        } catch (ClosedChannelException e) {
            closed = true; // the listener has closed, and wakes those who sleep itself
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void ready() {
        service.expect(tcp, 0);
        expecting.set(false);
        onClient.run();
    }

    /** Whoever sleeps looks for itself, and sees what is wrong with the channel. */
    @Override
    public void failed(IOException cause) {
        LOG.log(System.Logger.Level.DEBUG, "a listener cannot be watched", cause);
        closed = true;
        onClient.run();
    }

    @Override
    public void close() {
        try {
            service.submit(() -> {
                closed = true;
                if (registered) {
                    service.release(tcp);
                }
                return null;
            }).await(System.nanoTime() + CLOSE_NANOS);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a listener is still watched", e);
        }
    }
}
