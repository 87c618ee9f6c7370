/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** The way to the kernel on Java 22 and later: java.lang.foreign, without native code of ours. */
final class NativeFutex implements FutexCall {
    private static final long NUMBER = FutexCall.number();

    private NativeFutex() { }

    /**
     * Links the system call.
     *
     * @return not tried out yet
     * @throws IllegalStateException if native access was not granted: the JVM would print a warning
     */
    static FutexCall open() {
        if (!NativeFutex.class.getModule().isNativeAccessEnabled()) {
            throw new IllegalStateException("native access is not enabled: start Java with the agent, or with"
                    + " --enable-native-access=ALL-UNNAMED");
        }
        return new NativeFutex();
    }

    @Override
    public long call(long address, long operation, long value, long timeLimit) {
        try {
            return (long) Linked.SYSCALL.invokeExact(NUMBER, address, operation, value, timeLimit, 0L, 0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a downcall throws nothing of its own", e);
        }
    }

    /** Apart, so that nothing is linked before native access is known to be enabled. */
    private static final class Linked {
        static final MethodHandle SYSCALL = link(Linker.nativeLinker());

        private Linked() { }

        private static MethodHandle link(Linker linker) {
            return linker.downcallHandle(linker.defaultLookup().find("syscall").orElseThrow(),
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG), Linker.Option.firstVariadicArg(1));
        }
    }
}
