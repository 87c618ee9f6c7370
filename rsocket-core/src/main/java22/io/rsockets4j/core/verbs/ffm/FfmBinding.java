/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.io.IOException;

/** The verbs of the distribution's libibverbs and librdmacm. Thread-safe. */
public final class FfmBinding implements VerbsBinding {
    /** The binding's name. */
    public static final String NAME = "ffm";

    private static final int PREFERENCE = 100;

    /** Creates the binding, for {@link java.util.ServiceLoader}. */
    public FfmBinding() { }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int preference() {
        return PREFERENCE;
    }

    @Override
    public void load() throws VerbsUnavailableException {
        UverbsFiles.check();
        NativeLibraries.load();
    }

    @Override
    public ConnectionManager openConnectionManager() throws IOException {
        load();
        return new FfmConnectionManager();
    }
}
