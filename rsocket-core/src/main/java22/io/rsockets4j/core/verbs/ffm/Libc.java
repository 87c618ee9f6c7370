/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static io.rsockets4j.core.verbs.ffm.NativeFunction.INT;
import static io.rsockets4j.core.verbs.ffm.NativeFunction.POINTER;

import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/** What is needed of the C library. Thread-safe. */
final class Libc {
    private static final int EVENT_FLAGS = 0x80800; // EFD_CLOEXEC | EFD_NONBLOCK
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

    private static final NativeFunction EVENTFD = function("eventfd", INT, INT, INT);
    private static final NativeFunction EPOLL_CREATE = function("epoll_create1", INT, INT);
    private static final NativeFunction EPOLL_CTL = function("epoll_ctl", INT, INT, INT, INT, POINTER);
    private static final NativeFunction CLOSE = function("close", INT, INT);
    private static final NativeFunction MMAP = function("mmap", POINTER, POINTER, POINTER, INT, INT, INT, POINTER);
    private static final NativeFunction MUNMAP = function("munmap", INT, POINTER, POINTER);
    private static final MethodHandle FCNTL = Linker.nativeLinker().downcallHandle(
            NativeLibraries.libc().find("fcntl").orElseThrow(), FunctionDescriptor.of(INT, INT, INT, INT),
            Linker.Option.firstVariadicArg(2), Errno.CAPTURED);

    private Libc() { }

    private static NativeFunction function(String name, MemoryLayout result, MemoryLayout... parameters) {
        return new NativeFunction(NativeLibraries.libc(), name, result, parameters);
    }

    /** Creates a counter that can be polled. */
    static int eventDescriptor() throws VerbsException {
        return EVENTFD.callInt(0, EVENT_FLAGS);
    }

    /** Creates a set of descriptors to wait for. */
    static int epoll() throws VerbsException {
        return EPOLL_CREATE.callInt(EPOLL_CLOEXEC);
    }

    /** Adds a descriptor to such a set. */
    static void addToEpoll(int epoll, int descriptor, MemorySegment event) throws VerbsException {
        EPOLL_CTL.call(epoll, EPOLL_CTL_ADD, descriptor, event.address());
    }

    /** Closes a descriptor. */
    static void close(int descriptor) throws VerbsException {
        CLOSE.call(descriptor);
    }

    /** Makes reads return at once. */
    static void setNonBlocking(int descriptor) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.LAYOUT);
            if ((int) FCNTL.invokeExact(state, descriptor, F_SETFL, O_NONBLOCK) < 0) {
                throw Errno.failed("fcntl", Errno.captured(state));
            }
        } catch (VerbsException e) {
            throw e;
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** Maps zeroed memory, which starts at a page. It is unmapped when nothing refers to it any more. */
    static ByteBuffer map(int bytes) throws VerbsException {
        long address = MMAP.callPointer(0L, (long) bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
        return MemorySegment.ofAddress(address).reinterpret(bytes, Arena.ofAuto(), mapped -> unmap(address, bytes))
                .asByteBuffer();
    }

    private static void unmap(long address, long bytes) {
        try {
            MUNMAP.call(address, bytes);
        } catch (VerbsException e) { // by the collector's thread, where nobody could catch it
            throw new IllegalStateException(e);
        }
    }
}
