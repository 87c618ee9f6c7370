/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Finds the binding to use. */
public final class VerbsBindings {
    /** The name that asks for the best binding there is. */
    public static final String AUTO = "auto";

    private VerbsBindings() { }

    /**
     * Loads a binding.
     *
     * @param name of the binding, or {@link #AUTO}
     * @return loaded
     * @throws VerbsUnavailableException if none can be used; the message has each one's cause and fix
     */
    public static VerbsBinding load(String name) throws VerbsUnavailableException {
        List<String> causes = new ArrayList<>();
        for (VerbsBinding binding : candidates(name)) {
            try {
                binding.load();
                return binding;
            } catch (VerbsUnavailableException e) {
                causes.add(binding.name() + ": " + e.getMessage());
            }
        }
        if (causes.isEmpty()) {
            causes.add("there is no binding '" + name + "' in this jar; one for Java 22 and later is in jars that were"
                    + " built with such a JDK, and one for DiSNI needs its jar on the class path");
        }
        throw new VerbsUnavailableException(String.join("; ", causes));
    }

    private static List<VerbsBinding> candidates(String name) throws VerbsUnavailableException {
        List<VerbsBinding> found = new ArrayList<>();
        try {
            for (VerbsBinding binding : ServiceLoader.load(VerbsBinding.class, VerbsBindings.class.getClassLoader())) {
                if (name.equals(AUTO) ? binding.preference() >= 0 : binding.name().equals(name)) {
                    found.add(binding);
                }
            }
        } catch (ServiceConfigurationError e) {
            throw new VerbsUnavailableException("a binding in the class path is broken: " + e.getMessage(), e);
        }
        found.sort(Comparator.comparingInt(VerbsBinding::preference).reversed());
        return found;
    }
}
