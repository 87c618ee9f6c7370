/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.spi.lock.SimpleLock;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;

/**
 * A socket channel's link, if a fabric connected it: first pending, until the program finishes a non-blocking connect,
 * then connected, as a stream. Thread-safe.
 */
final class LinkSide {
    private final RSocketChannel owner;
    private final SimpleLock lock; // the TCP side has the same
    private volatile LinkStream stream; // set once, under lock
    private volatile Link pending; // written under lock
    private boolean closed; // guarded by lock
    private volatile boolean keepAlive; // SO_KEEPALIVE was set
    private volatile boolean urgentInline; // SO_OOBINLINE was set

    LinkSide(RSocketChannel owner, SimpleLock lock) {
        this.owner = owner;
        this.lock = lock;
    }

    /** The connected stream, or null. The data path starts here. */
    LinkStream stream() {
        return stream;
    }

    boolean isPending() {
        return pending != null;
    }

    /** The link, pending or connected, or null. */
    Link link() {
        LinkStream connected = stream;
        return connected != null ? connected.link() : pending;
    }

    /**
     * Takes a link over.
     *
     * @param link established
     * @param finished whether the program need not finish the connect
     * @return false when the channel was closed meanwhile: the link is closed too
     */
    boolean adopt(Link link, boolean finished) {
        if (keepAlive) {
            link.keepAlive(true);
        }
        if (urgentInline) {
            link.urgentInline(true);
        }
        lock.lock();
        try {
            if (!closed) {
                stream = finished ? new LinkStream(owner, link) : null;
                pending = finished ? null : link;
                return true;
            }
        } finally {
            lock.unlock();
        }
        discard(link);
        return false;
    }

    /**
     * Finishes a pending connect.
     *
     * @return whether a link is connected now
     * @throws ClosedChannelException when the channel is closed
     */
    boolean finish() throws ClosedChannelException {
        if (link() == null) {
            return false;
        }
        lock.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (pending != null) {
                stream = new LinkStream(owner, pending);
                pending = null;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** SO_KEEPALIVE was set, on a link or before there is one. */
    void keepAlive(boolean on) {
        keepAlive = on;
        Link link = link();
        if (link != null) {
            link.keepAlive(on);
        }
    }

    /** SO_OOBINLINE was set, on a link or before there is one. */
    void urgentInline(boolean on) {
        urgentInline = on;
        Link link = link();
        if (link != null) {
            link.urgentInline(on);
        }
    }

    void close(boolean abortive) {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        Link unfinished = pending;
        if (unfinished != null) {
            discard(unfinished);
        } else if (stream != null) {
            stream.close(abortive);
        }
    }

    private static void discard(Link link) {
        link.beginClose();
        link.close(true);
    }

    /** Asks for no more than {@code ops}: each answer costs a load of what the peer writes. */
    int readyOps(int ops) {
        LinkStream connected = stream;
        if (connected == null) {
            return pending != null ? ops & SelectionKey.OP_CONNECT : 0;
        }
        Link link = connected.link();
        int ready = (ops & SelectionKey.OP_READ) != 0 && link.isReady(SelectionKey.OP_READ) ? SelectionKey.OP_READ : 0;
        return (ops & SelectionKey.OP_WRITE) != 0 && link.isReady(SelectionKey.OP_WRITE)
                ? ready | SelectionKey.OP_WRITE : ready;
    }

    /** A pending link needs no arming: it is ready to be finished, and then the channel's watchers are told. */
    void arm(int ops, Waiter waiter) {
        LinkStream connected = stream;
        if (connected != null) {
            connected.link().arm(ops, waiter);
        }
    }

    void disarm(Waiter waiter) {
        Link link = link();
        if (link != null) {
            link.disarm(waiter);
        }
    }

    /** The state and addresses as the JDK's channels print them. */
    String describe() {
        LinkStream connected = stream;
        StringBuilder text = new StringBuilder(connected == null ? "connection-pending" : "connected");
        if (connected != null) {
            text.append(connected.isInputShut() ? " ishut" : "").append(connected.isOutputShut() ? " oshut" : "");
        }
        Link link = link();
        return text.append(" local=").append(link.localAddress()).append(" remote=").append(link.remoteAddress())
                .toString();
    }
}
