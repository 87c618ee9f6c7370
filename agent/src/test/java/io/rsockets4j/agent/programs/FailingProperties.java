/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.util.Properties;
import java.util.Set;

/** An agent after which nobody can list the system properties: that ends with the error which the argument names. */
public final class FailingProperties extends Properties {
    private static final long serialVersionUID = 1;

    private final String error;

    private FailingProperties(String error) {
        this.error = error;
    }

    /** Called by the JVM. */
    public static void premain(String error) {
        Properties failing = new FailingProperties(error);
        failing.putAll(System.getProperties());
        System.setProperties(failing);
    }

    @Override
    public Set<String> stringPropertyNames() {
        if (error.equals("stack")) {
            throw new StackOverflowError("a test's");
        }
        throw new OutOfMemoryError("a test's");
    }

    @Override
    public synchronized boolean equals(Object other) {
        return this == other;
    }

    @Override
    public synchronized int hashCode() {
        return System.identityHashCode(this);
    }
}
