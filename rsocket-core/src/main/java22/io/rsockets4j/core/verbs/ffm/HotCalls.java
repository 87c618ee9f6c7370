/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The calls that are made for messages and events. They allocate nothing: the handles are constants, and every segment
 * that they take was made before. Those of the device's driver take its function first, as found in ibv_context.
 */
final class HotCalls {
    private static final Linker LINKER = Linker.nativeLinker();

    private static final MethodHandle POST = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

    /** Runs in user space alone and returns soon, so the thread needs not leave the state in which it runs Java. */
    private static final MethodHandle POLL_CQ = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS), Linker.Option.critical(false));

    private static final MethodHandle REQ_NOTIFY_CQ = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    private static final MethodHandle GET_CQ_EVENT = LINKER.downcallHandle(
            find(NativeLibraries.ibverbs(), "ibv_get_cq_event"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS), Errno.CAPTURED);

    private static final MethodHandle ACK_CQ_EVENTS = LINKER.downcallHandle(
            find(NativeLibraries.ibverbs(), "ibv_ack_cq_events"), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));

    private static final MethodHandle EPOLL_WAIT = LINKER.downcallHandle(find(NativeLibraries.libc(), "epoll_wait"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), Errno.CAPTURED);

    private static final MethodHandle READ = LINKER.downcallHandle(find(NativeLibraries.libc(), "read"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));

    private static final MethodHandle WRITE = LINKER.downcallHandle(find(NativeLibraries.libc(), "write"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));

    private HotCalls() { }

    private static MemorySegment find(SymbolLookup lookup, String name) {
        return lookup.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
    }

    /** ibv_post_send or ibv_post_recv. Returns an error number, or 0. */
    static int post(MemorySegment function, MemorySegment queuePair, MemorySegment request, MemorySegment bad) {
        try {
            return (int) POST.invokeExact(function, queuePair, request, bad);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** ibv_poll_cq. Returns how many, or a negative number. */
    static int pollCq(MemorySegment function, MemorySegment queue, int max, MemorySegment completions) {
        try {
            return (int) POLL_CQ.invokeExact(function, queue, max, completions);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** ibv_req_notify_cq, for any completion. Returns an error number, or 0. */
    static int requestNotification(MemorySegment function, MemorySegment queue) {
        try {
            return (int) REQ_NOTIFY_CQ.invokeExact(function, queue, 0);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** ibv_get_cq_event. Returns 0, or -1 and the cause in state. */
    static int getCqEvent(MemorySegment state, MemorySegment channel, MemorySegment queue, MemorySegment context) {
        try {
            return (int) GET_CQ_EVENT.invokeExact(state, channel, queue, context);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** ibv_ack_cq_events, for one. */
    static void acknowledgeCqEvent(long queue) {
        try {
            ACK_CQ_EVENTS.invokeExact(queue, 1);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** epoll_wait(2). Returns how many descriptors are ready, or -1 and the cause in state. */
    static int epollWait(MemorySegment state, int epoll, MemorySegment events, int count, int timeoutMillis) {
        try {
            return (int) EPOLL_WAIT.invokeExact(state, epoll, events, count, timeoutMillis);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** read(2), of eight bytes. Returns how many, or -1. */
    static long read(int descriptor, MemorySegment target) {
        try {
            return (long) READ.invokeExact(descriptor, target, (long) Long.BYTES);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }

    /** write(2), of eight bytes. Returns how many, or -1. */
    static long write(int descriptor, MemorySegment source) {
        try {
            return (long) WRITE.invokeExact(descriptor, source, (long) Long.BYTES);
        } catch (Throwable e) {
            throw Errno.unexpected(e);
        }
    }
}
