/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.net.InetAddress;
import java.util.List;

/** A device of a {@link MemoryHost}, whose settings are those of all its devices. Thread-safe. */
public final class MemoryDevice implements VerbsDevice {
    private final MemoryHost host;
    private final String name;
    private final List<InetAddress> addresses;
    private volatile boolean removed;

    MemoryDevice(MemoryHost host, String name, List<InetAddress> addresses) {
        this.host = host;
        this.name = name;
        this.addresses = addresses;
    }

    public MemoryHost host() {
        return host;
    }

    @Override
    public String name() {
        return name;
    }

    /** Its own addresses; empty is every address that no other host has. */
    List<InetAddress> addresses() {
        return addresses;
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
