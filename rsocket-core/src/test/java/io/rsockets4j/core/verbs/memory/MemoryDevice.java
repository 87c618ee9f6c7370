/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;

/** The one device of a {@link MemoryHost}. */
final class MemoryDevice implements VerbsDevice {
    private final MemoryHost host;

    MemoryDevice(MemoryHost host) {
        this.host = host;
    }

    MemoryHost host() {
        return host;
    }

    @Override
    public String name() {
        return "memory_" + host.name();
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
        return new MemoryDomain(host);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return new MemoryCompletionChannel(host);
    }

    @Override
    public CompletionQueue createCompletionQueue(CompletionChannel channel, int entries) throws VerbsException {
        if (entries < 1 || entries > maxCompletions() || !(channel instanceof MemoryCompletionChannel)) {
            throw Errno.EINVAL.of("ibv_create_cq");
        }
        return new MemoryCompletionQueue(host.network(), (MemoryCompletionChannel) channel, entries);
    }
}
