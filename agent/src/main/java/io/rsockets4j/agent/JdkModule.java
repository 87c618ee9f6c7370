/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/** Opens what the socket doors need of {@code java.base}. */
final class JdkModule {
    private final Instrumentation instrumentation;

    JdkModule(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /**
     * Lets a module use the JDK's own sockets.
     *
     * @param user the module with our classes
     */
    void open(Module user) {
        Set<Module> users = Set.of(user);
        instrumentation.redefineModule(Object.class.getModule(), Set.of(),
                Map.of("sun.net", users, "sun.nio.ch", users),
                Map.of("java.net", users, "sun.nio.ch", users),
                Set.of(), Map.of());
    }
}
