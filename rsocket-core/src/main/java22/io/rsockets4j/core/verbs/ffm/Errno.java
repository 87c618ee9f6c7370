/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.host.ProcessLimits;
import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Error numbers of the operating system, captured with the call that set them. */
final class Errno {
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;

    /** Makes a downcall take a segment of {@link #LAYOUT} first, and leave errno there. */
    static final Linker.Option CAPTURED = Linker.Option.captureCallState("errno");

    /** What is captured. */
    static final StructLayout LAYOUT = Linker.Option.captureStateLayout();

    private static final long OFFSET = LAYOUT.byteOffset(StructLayout.PathElement.groupElement("errno"));
    private static final long MAX_TEXT_BYTES = 256;
    private static final MethodHandle STRERROR = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().find("strerror").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

    private Errno() { }

    /** Reads what a call has left. */
    static int captured(MemorySegment state) {
        return state.get(ValueLayout.JAVA_INT, OFFSET);
    }

    /** The exception for a verb that failed. Some libraries return the number negated. */
    static VerbsException failed(String verb, int errno) {
        int positive = Math.abs(errno);
        String text = text(positive);
        return new VerbsException(verb, positive, positive == ENOMEM ? text + lockedMemoryHint() : text);
    }

    /** What to add to a message about ENOMEM, of which this limit usually is the cause; nothing where there is none. */
    private static String lockedMemoryHint() {
        String limit = ProcessLimits.lockedMemory();
        return limit.equals(ProcessLimits.UNLIMITED) ? ""
                : "; the limit on locked memory (RLIMIT_MEMLOCK, ulimit -l) is " + limit;
    }

    /** What a number means. */
    static String text(int errno) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
            return text.reinterpret(MAX_TEXT_BYTES).getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** A downcall itself throws nothing but what says that it was made wrongly. */
    static AssertionError unexpected(Throwable e) {
        if (e instanceof RuntimeException exception) {
            throw exception;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new AssertionError(e);
    }
}
