/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

/** Makes virtual threads on a JDK that has them, though the tests are compiled for one that has not. */
final class VirtualThreads {
    private static final int FIRST_JDK = 21;

    private VirtualThreads() {
    }

    static boolean exist() {
        return Runtime.version().feature() >= FIRST_JDK;
    }

    /** @return a thread that is not started yet */
    static Thread unstarted(String name, Runnable body) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            builder = type.getMethod("name", String.class).invoke(builder, name);
            return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, body);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual threads in " + Runtime.version(), e);
        }
    }
}
