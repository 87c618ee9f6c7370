/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.Route;
import io.rsockets4j.core.engine.TcpAddresses;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The path of one socket: none yet; a link, pending until the program has finished a non-blocking connect, then
 * connected; or TCP, whose socket the door has. Registers the connection with the engine, and drops a link that comes
 * too late. Thread-safe; nothing here blocks but for a short lock.
 */
public final class SocketPath {
    private final Engine engine;
    private final TcpAddresses owner;
    private final SimpleLock lock; // for short changes of state
    private final AtomicBoolean registered = new AtomicBoolean(); // as a TCP connection
    private volatile LinkStream stream; // set once, under lock
    private volatile LinkStream pending; // written under lock
    private volatile boolean closed; // written under lock
    private volatile boolean keepAlive; // SO_KEEPALIVE was set
    private volatile boolean urgentInline; // SO_OOBINLINE was set
    private volatile Reason tcpReason = Reason.PREFERRED; // written by whoever finds the path
    private volatile Runnable fallback; // the same: what to say once TCP has connected, or null
    private volatile ConnectionInfo connection; // set once, by whoever establishes it

    /**
     * Begins unconnected.
     *
     * @param engine finds paths and keeps the register
     * @param owner the program's socket or channel, for the register
     * @param lock not reentrant; may be shared with another part of the same socket, as each lock is memory
     */
    public SocketPath(Engine engine, TcpAddresses owner, SimpleLock lock) {
        this.engine = engine;
        this.owner = owner;
        this.lock = lock;
    }

    /**
     * The connected stream. The data path starts here.
     *
     * @return null while there is none, and over TCP
     */
    public LinkStream stream() {
        return stream;
    }

    /**
     * Whether a link waits for the program to finish its connect.
     *
     * @return true until {@link #finish}
     */
    public boolean isPending() {
        return pending != null;
    }

    /**
     * The link, pending or connected.
     *
     * @return null while there is none, and over TCP
     */
    public Link link() {
        LinkStream any = pending; // before stream, which is set before this is cleared
        if (any == null) {
            any = stream;
        }
        return any == null ? null : any.link();
    }

    // ---- connecting

    /**
     * Whether a connect goes by TCP, as it is known already that nothing better is there.
     *
     * @param target a resolved address
     * @return false where a path has to be sought
     */
    public boolean isKnownTcp(InetSocketAddress target) {
        Reason known = engine.knownTcp(target);
        if (known != null) {
            tcpReason = known;
        }
        return known != null;
    }

    /**
     * Takes note of what the engine has found.
     *
     * @param route from the engine
     * @return whether it is a link, for {@link #adopt}
     */
    public boolean isLink(Route route) {
        if (route.link() == null) {
            tcpReason = route.reason();
            fallback = route.fallback();
        }
        return route.link() != null;
    }

    /**
     * Takes a link over, and registers it.
     *
     * @param established the stream of a link that nobody has used
     * @param direction who began the connection
     * @param reason why this path
     * @param finished whether the program need not finish the connect
     * @return false when the socket was closed meanwhile: the link is closed too
     */
    public boolean adopt(LinkStream established, Direction direction, Reason reason, boolean finished) {
        Link link = established.link();
        boolean alive = keepAlive;
        boolean inline = urgentInline;
        if (alive) {
            link.keepAlive(true);
        }
        if (inline) {
            link.urgentInline(true);
        }
        boolean adopted;
        lock.lock();
        try {
            adopted = !closed;
            if (adopted) {
                stream = finished ? established : null;
                pending = finished ? null : established;
            }
        } finally {
            lock.unlock();
        }
        if (adopted) {
            if (keepAlive != alive) { // set by who found no link: a volatile load after the link's store
                link.keepAlive(!alive);
            }
            if (urgentInline != inline) {
                link.urgentInline(!inline);
            }
            register(engine.connections().opened(owner, direction, link, reason));
        } else {
            established.close(true);
        }
        return adopted;
    }

    /**
     * Finishes a pending connect.
     *
     * @return whether a link is connected now
     * @throws ClosedChannelException when the channel is closed
     */
    public boolean finish() throws ClosedChannelException {
        if (link() == null) {
            return false;
        }
        lock.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (pending != null) {
                stream = pending;
                pending = null;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Registers a connection over TCP; again does nothing.
     *
     * @param direction who began it
     */
    public void overTcp(Direction direction) {
        if (registered.compareAndSet(false, true)) {
            Reason reason = direction == Direction.ACCEPT ? Reason.PEER_CHOICE : tcpReason;
            register(engine.connections().opened(owner, direction, null, reason));
            Runnable said = fallback;
            if (said != null) {
                fallback = null;
                said.run();
            }
        }
    }

    /**
     * TCP did not lead there either: if nobody is there, what was learned about that address counts no more.
     *
     * @param target where the program wanted to connect to
     * @param cause why TCP failed
     */
    public void tcpFailed(SocketAddress target, Exception cause) {
        if (cause instanceof ConnectException && target instanceof InetSocketAddress inet) {
            engine.nobodyAt(inet);
        }
    }

    private void register(ConnectionInfo established) {
        connection = established;
        if (closed) { // whichever comes last, this or unregister, removes it
            unregister();
        }
    }

    // ---- options that a link takes part in

    /**
     * SO_KEEPALIVE was set, on a link or before there is one.
     *
     * @param on its value
     */
    public void keepAlive(boolean on) {
        keepAlive = on; // before the load of the link: pairs with adopt
        Link link = link();
        if (link != null) {
            link.keepAlive(on);
        }
    }

    /**
     * SO_OOBINLINE was set, on a link or before there is one.
     *
     * @param on its value
     */
    public void urgentInline(boolean on) {
        urgentInline = on; // before the load of the link: pairs with adopt
        Link link = link();
        if (link != null) {
            link.urgentInline(on);
        }
    }

    // ---- the end

    /**
     * Whether {@link #close} was called.
     *
     * @return once true, always
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Closes the link, if there is one; none is adopted from now on.
     *
     * @param resets whether the peer shall read a reset; it does at any rate if the connect was not finished
     * @return false if it was closed before
     */
    public boolean close(boolean resets) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        LinkStream unfinished = pending;
        if (unfinished != null) {
            unfinished.close(true);
        } else if (stream != null) {
            stream.close(resets);
        }
        return true;
    }

    /** Takes the connection out of the register, once all of the socket is closed. */
    public void unregister() {
        engine.connections().closed(connection);
    }
}
