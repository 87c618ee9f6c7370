/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;

/**
 * The last resort: the JDK's own lookup, read by {@code sun.misc.Unsafe}, for programs started with nothing but the
 * system property. Used once, at start, and only where {@code sun.nio.ch} is not exported to us; JDK 24 and later warn
 * about it on standard error.
 */
final class ImplLookup {
    private ImplLookup() { }

    /**
     * Reads the lookup that may do everything.
     *
     * @return {@code MethodHandles.Lookup.IMPL_LOOKUP}
     * @throws ReflectiveOperationException if this JDK has no such field or no usable {@code Unsafe}
     */
    static MethodHandles.Lookup get() throws ReflectiveOperationException {
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
