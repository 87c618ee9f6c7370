/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsBinding;

/** Verbs on a {@link MemoryHost}. What {@link java.util.ServiceLoader} makes is on {@link MemoryHost#shared}. */
public final class MemoryBinding implements VerbsBinding {
    private final MemoryHost host;

    public MemoryBinding() {
        this(MemoryHost.shared());
    }

    public MemoryBinding(MemoryHost host) {
        this.host = host;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public int preference() {
        return -1;
    }

    @Override
    public void load() {
        host.device(); // nothing else is needed
    }

    @Override
    public ConnectionManager openConnectionManager() {
        return new MemoryConnectionManager(host);
    }
}
