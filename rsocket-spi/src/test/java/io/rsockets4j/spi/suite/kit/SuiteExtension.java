/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Skips what the fabric declares that it cannot do, and prints at the end of each fabric's class how many cases ran and
 * how many were skipped for which {@link Capability}.
 */
public final class SuiteExtension implements BeforeEachCallback, AfterAllCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
        OnSockets test = (OnSockets) context.getRequiredTestInstance();
        for (Object enclosing : context.getRequiredTestInstances().getEnclosingInstances()) {
            test.runOn(((OnSockets) enclosing).sockets());
        }
        Sockets sockets = test.sockets();
        Set<Capability> missing = required(context);
        missing.removeAll(sockets.capabilities());
        Tally.count(sockets.name(), missing);
        if (!missing.isEmpty()) {
            throw new TestAbortedException(sockets.name() + " declares no " + missing);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (context.getRequiredTestClass().getEnclosingClass() == null) {
            Tally.print();
        }
    }

    private static Set<Capability> required(ExtensionContext context) {
        Set<Capability> required = EnumSet.noneOf(Capability.class);
        add(required, context.getRequiredTestMethod().getAnnotation(Requires.class));
        for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getSuperclass()) {
            add(required, type.getDeclaredAnnotation(Requires.class));
        }
        return required;
    }

    private static void add(Set<Capability> required, Requires annotation) {
        if (annotation != null) {
            required.addAll(Set.of(annotation.value()));
        }
    }
}
