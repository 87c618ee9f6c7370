/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A C function for setting up, where a few allocations do no harm. Arguments are as C has them: int, long for pointers
 * and sizes. Thread-safe.
 */
final class NativeFunction {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong POINTER = ValueLayout.JAVA_LONG;

    private final String name;
    private final MethodHandle handle;

    /**
     * Finds a function.
     *
     * @param lookup of its library
     * @param name for messages as well
     * @param result what it returns, or null
     * @param parameters what it takes
     */
    NativeFunction(SymbolLookup lookup, String name, MemoryLayout result, MemoryLayout... parameters) {
        this.name = name;
        MemorySegment address = lookup.find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError(name + " is not in the library; is rdma-core too old?"));
        FunctionDescriptor descriptor = result == null ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(result, parameters);
        handle = Linker.nativeLinker().downcallHandle(address, descriptor, Errno.CAPTURED)
                .asSpreader(1, Object[].class, parameters.length);
    }

    /**
     * Calls a function that returns 0, or -1 and errno.
     *
     * @throws VerbsException if it fails
     */
    void call(Object... arguments) throws VerbsException {
        callInt(arguments);
    }

    /**
     * Calls a function that returns a number, or -1 and errno.
     *
     * @throws VerbsException if it fails
     */
    int callInt(Object... arguments) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.LAYOUT);
            int result = (int) handle.invoke(state, arguments);
            if (result < 0) {
                throw Errno.failed(name, Errno.captured(state));
            }
            return result;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Calls a function that returns a pointer, or null and errno; or for mmap, -1.
     *
     * @throws VerbsException if it fails
     */
    long callPointer(Object... arguments) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.LAYOUT);
            long result = (long) handle.invoke(state, arguments);
            if (result == 0 || result == -1) {
                throw Errno.failed(name, Errno.captured(state));
            }
            return result;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Calls a function that returns 0, or an error number.
     *
     * @throws VerbsException if it fails
     */
    void callErrno(Object... arguments) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            int errno = (int) handle.invoke(arena.allocate(Errno.LAYOUT), arguments);
            if (errno != 0) {
                throw Errno.failed(name, errno);
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Calls a function that returns nothing. */
    void callVoid(Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            handle.invoke(arena.allocate(Errno.LAYOUT), arguments);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    private static VerbsException unexpected(Throwable e) {
        if (e instanceof VerbsException failed) {
            return failed;
        }
        throw Errno.unexpected(e);
    }
}
