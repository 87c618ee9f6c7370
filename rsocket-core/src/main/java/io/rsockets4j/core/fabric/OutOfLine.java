/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A method called in a way that the JIT compilers do not inline, such as a wait. The second one would compile all of
 * it into each of the methods on the way to it, half a second for each while a program gets under way, on cores that
 * its threads want. See record 3. Thread-safe; a call allocates nothing.
 */
public final class OutOfLine {
    private MethodHandle handle; // not final: what a constant handle calls is inlined

    /**
     * Finds the method, which returns a boolean and is called on an object.
     *
     * @param lookup of the class that has the method
     * @param method its name
     * @param arguments the types that it takes
     */
    public OutOfLine(MethodHandles.Lookup lookup, String method, Class<?>... arguments) {
        try {
            handle = lookup.findVirtual(lookup.lookupClass(), method, MethodType.methodType(boolean.class, arguments));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new AssertionError("no method to call out of line", e);
        }
    }

    /**
     * What to call the method by, exactly: the object first.
     *
     * @return always the same handle
     */
    public MethodHandle handle() {
        return handle;
    }

    /**
     * What a call throws, for methods that declare no exceptions.
     *
     * @param thrown by the handle
     * @return for the caller to throw
     * @throws Error if it is one, or an exception that the method should have declared
     */
    public static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        throw new AssertionError("thrown without being declared", thrown);
    }
}
