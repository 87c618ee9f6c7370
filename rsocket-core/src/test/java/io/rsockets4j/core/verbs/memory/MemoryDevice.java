/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A device of a {@link MemoryHost}, whose settings are those of all its devices. It has one port, or more that share
 * all but their addresses. Thread-safe.
 */
public final class MemoryDevice implements VerbsDevice {
    private final MemoryHost host;
    private final String name;
    private final List<List<InetAddress>> ports = new CopyOnWriteArrayList<>(); // each one's addresses
    private volatile boolean removed;

    MemoryDevice(MemoryHost host, String name, List<InetAddress> addresses) {
        this.host = host;
        this.name = name;
        ports.add(addresses);
    }

    public MemoryHost host() {
        return host;
    }

    @Override
    public String name() {
        return name;
    }

    /** The addresses of its ports; empty is every address that no other host has. */
    List<InetAddress> addresses() {
        return ports.stream().flatMap(List::stream).toList();
    }

    /** A further port of a device that was made with addresses. Returns its number. */
    public int addPort(InetAddress... addresses) {
        synchronized (host) {
            host.checkNew(name, addresses);
            ports.add(List.of(addresses));
            return ports.size();
        }
    }

    /** The number of the port that has an address, from 1 on; the first one has what no other does. */
    int portOf(InetAddress address) {
        int port = ports.size();
        while (port > 1 && !ports.get(port - 1).contains(address)) {
            port--;
        }
        return port;
    }

    /**
     * Removes this device alone while it is in use: its queue pairs fail, and its identifiers hear of it. It has its
     * addresses until another one gets them by {@link MemoryHost#addDevice}.
     */
    public void remove() {
        removed = true;
        host.network().deviceRemoved(id -> id.isOn(this));
    }

    boolean isRemoved() {
        return removed;
    }

    /** Whether it is there: neither it was removed, nor all devices of its host. */
    boolean isPresent() {
        return !removed && host.isPresent();
    }

    @Override
    public boolean hasImmediate() {
        return host.hasImmediate();
    }

    @Override
    public int maxCompletions() {
        return host.maxCompletions();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return new MemoryDomain(this);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return new MemoryCompletionChannel(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(CompletionChannel channel, int entries) throws VerbsException {
        if (entries < 1 || entries > maxCompletions()
                || !(channel instanceof MemoryCompletionChannel own && own.device() == this)) {
            throw Errno.EINVAL.of("ibv_create_cq");
        }
        return new MemoryCompletionQueue(this, (MemoryCompletionChannel) channel, entries);
    }
}
