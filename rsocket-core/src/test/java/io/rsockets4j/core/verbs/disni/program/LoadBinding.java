/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni.program;

import io.rsockets4j.core.verbs.VerbsBindings;
import io.rsockets4j.core.verbs.VerbsUnavailableException;

/** Loads the binding in a virtual machine of its own, and prints why that failed. Not in a package of the module. */
public final class LoadBinding {
    private LoadBinding() { }

    /** Runs it. */
    public static void main(String[] args) {
        try {
            System.out.println("loaded " + VerbsBindings.load("disni").name());
        } catch (VerbsUnavailableException e) {
            System.out.println(e.getMessage());
        }
    }
}
