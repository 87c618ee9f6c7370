/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * The last resort, for programs started with nothing but the system property: exports packages of the JDK by the JDK's
 * own lookup, which it reads by {@code sun.misc.Unsafe}. Used once, at start; JDK 24 and later warn about it on
 * standard error.
 */
final class ImplLookup {
    private ImplLookup() { }

    /**
     * Exports a package of {@code java.base} to a module of ours.
     *
     * @param name the package
     * @param user the module
     * @throws Throwable if this JDK has no usable {@code Unsafe}, or no such lookup or method
     */
    static void export(String name, Module user) throws Throwable {
        get().findVirtual(Module.class, "implAddExports",
                MethodType.methodType(void.class, String.class, Module.class))
                .invokeExact(Object.class.getModule(), name, user);
    }

    private static MethodHandles.Lookup get() throws ReflectiveOperationException {
        Class<?> unsafeType = Class.forName("sun.misc.Unsafe");
        Field instance = unsafeType.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object unsafe = instance.get(null);
        Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        Object base = unsafeType.getMethod("staticFieldBase", Field.class).invoke(unsafe, lookup);
        Object offset = unsafeType.getMethod("staticFieldOffset", Field.class).invoke(unsafe, lookup);
        return (MethodHandles.Lookup) unsafeType.getMethod("getObject", Object.class, long.class)
                .invoke(unsafe, base, offset);
    }
}
