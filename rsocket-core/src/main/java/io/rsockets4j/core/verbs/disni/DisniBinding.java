/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.io.IOException;

/**
 * The binding by DiSNI. Can be created without DiSNI on the class path: then {@link #load} says so.
 */
public final class DisniBinding implements VerbsBinding {
    private static final int PREFERENCE = 10;

    /** Creates the binding, for {@link java.util.ServiceLoader}; loads nothing. */
    public DisniBinding() { }

    @Override
    public String name() {
        return "disni";
    }

    @Override
    public int preference() {
        return PREFERENCE;
    }

    @Override
    public void load() throws VerbsUnavailableException {
        DisniLibrary.load();
        try {
            openConnectionManager().close();
        } catch (IOException e) {
            throw new VerbsUnavailableException(e.getMessage() + ". Is there an RDMA device, is the kernel module"
                    + " rdma_ucm loaded, and may this user open /dev/infiniband/*?", e);
        }
    }

    @Override
    public ConnectionManager openConnectionManager() throws IOException {
        return DisniConnectionManager.open(DisniLibrary.load());
    }
}
