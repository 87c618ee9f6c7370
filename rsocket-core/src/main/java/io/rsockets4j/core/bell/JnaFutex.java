/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** The futex by JNA's direct mapping. Loaded by {@link JnaLoader}, beside a JNA that only this class sees. */
final class JnaFutex extends Futex {
    private static final long NUMBER = callNumber();

    static {
        Native.register(JnaFutex.class, NativeLibrary.getProcess());
    }

    JnaFutex() { }

    @Override
    protected long call(long address, long operation, long value, long timeLimit) {
        return syscall(NUMBER, address, operation, value, timeLimit, 0, 0);
    }

    private static native long syscall(long number, long address, long operation, long value, long timeLimit,
            long address2, long value3);
}
