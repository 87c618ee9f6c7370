/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

/** The way to the kernel before Java 22: JNA. Java 22 and later have another class of this name. */
final class NativeFutex {
    private NativeFutex() { }

    /**
     * Loads JNA, into a class loader of its own: the program may have another one.
     *
     * @return not tried out yet
     * @throws ReflectiveOperationException if this jar has no JNA
     */
    static FutexCall open() throws ReflectiveOperationException {
        return JnaLoader.loadCall();
    }
}
