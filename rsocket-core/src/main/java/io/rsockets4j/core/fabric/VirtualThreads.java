/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Tells virtual threads from others, on Java versions that have them. */
public final class VirtualThreads {
    private static final MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() { }

    /**
     * Whether the calling thread is a virtual one.
     *
     * @return always false before Java 21
     */
    public static boolean isVirtual() {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable e) {
            throw new AssertionError("Thread.isVirtual failed", e);
        }
    }

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null; // before Java 21
        }
    }
}
