/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.TcpWatch;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;

/** A listening address that this process offers. Thread-safe; closing withdraws it. */
final class ShmListener implements ListenOffer {
    private final Endpoint endpoint;
    private final Rendezvous.Entry entry;
    private final List<Path> published;
    private final AcceptQueue queue;
    private final InetSocketAddress address;
    private final int backlog;
    private volatile boolean full; // written under the endpoint's lock

    ShmListener(Endpoint endpoint, InetSocketAddress address, Rendezvous.Entry entry, List<Path> published,
            AcceptQueue queue, int backlog) {
        this.endpoint = endpoint;
        this.address = address;
        this.entry = entry;
        this.published = published;
        this.queue = queue;
        this.backlog = Math.min(backlog, SessionDescriptor.MAX_BACKLOG);
    }

    int index() {
        return entry.listener();
    }

    long generation() {
        return entry.generation();
    }

    /** What sessions are told of it. */
    long announcement() {
        long open = entry.generation() | (long) backlog << SessionDescriptor.LISTENER_BACKLOG;
        return full ? open | SessionDescriptor.LISTENER_FULL : open;
    }

    /** Takes note of whether its backlog is full. Under the endpoint's lock. */
    void setFull(boolean isFull) {
        full = isFull;
    }

    /** Whether a connect to that address, one of this host's, is one to this listener. */
    boolean isAt(InetSocketAddress target) {
        return target.getPort() == address.getPort()
                && (address.getAddress().isAnyLocalAddress() || target.getAddress().equals(address.getAddress()));
    }

    AcceptQueue queue() {
        return queue;
    }

    /** Removes the entries in the rendezvous directory. */
    void withdraw(Rendezvous rendezvous) {
        for (Path path : published) {
            rendezvous.withdraw(path, entry);
        }
    }

    @Override
    public void attend() {
        endpoint.attend();
    }

    @Override
    public void serve() {
        endpoint.serve();
    }

    @Override
    public void leave() {
        endpoint.leave();
    }

    @Override
    public boolean mend() {
        return endpoint.mend();
    }

    @Override
    public void ringBell(int bell) {
        endpoint.ringBell(entry.listener(), bell);
    }

    @Override
    public void full(boolean isFull) {
        endpoint.full(this, isFull);
    }

    @Override
    public TcpWatch watch(ServerSocketChannel tcp, Runnable onClient) {
        return endpoint.watch(tcp, onClient);
    }

    @Override
    public void close() {
        endpoint.close(this);
    }
}
