/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.io.IOException;

/** Stands in for the binding where it cannot be, and says why. Replaced in the overlay for Java 22. */
public final class FfmBinding implements VerbsBinding {
    /** The binding's name. */
    public static final String NAME = "ffm";

    private static final int FIRST_RELEASE = 22;
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
        throw new VerbsUnavailableException(cause(Runtime.version().feature()));
    }

    /** Why this class is here instead of the binding. */
    static String cause(int release) {
        return release < FIRST_RELEASE
                ? "needs Java " + FIRST_RELEASE + " or later; this is " + release
                        + ". Start the program with a newer Java"
                : "this jar lacks the binding, because it was built with a Java before " + FIRST_RELEASE
                        + ", or repacked without META-INF/versions or Multi-Release. Take one built with Java"
                        + " " + FIRST_RELEASE + " or later";
    }

    @Override
    public ConnectionManager openConnectionManager() throws IOException {
        throw new VerbsUnavailableException(cause(Runtime.version().feature()));
    }
}
