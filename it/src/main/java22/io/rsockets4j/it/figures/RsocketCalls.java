/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;

/** Librdmacm's rsockets, called by Java; see rsocket(7). Sockets are file descriptors of that library. */
final class RsocketCalls {
    /** A flag of {@link #send} and {@link #receive}: they return -1 instead of waiting. */
    static final int DO_NOT_WAIT = 0x40; // MSG_DONTWAIT of bits/socket.h

    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int SHUT_RDWR = 2;
    private static final int ADDRESS_BYTES = 16; // struct sockaddr_in

    private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup("librdmacm.so.1", Arena.global());
    private static final MethodHandle SOCKET = function("rsocket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = function("rbind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle LISTEN = function("rlisten", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle ACCEPT = function("raccept", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle CONNECT = function("rconnect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SEND = function("rsend", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECEIVE = function("rrecv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SHUTDOWN = function("rshutdown", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = function("rclose", JAVA_INT, JAVA_INT);

    private RsocketCalls() { }

    /** Returns a socket that listens at an IPv4 address. */
    static int listen(InetSocketAddress address) throws Throwable {
        int listener = open();
        check("rbind", (int) BIND.invokeExact(listener, encode(address), ADDRESS_BYTES));
        check("rlisten", (int) LISTEN.invokeExact(listener, 64));
        return listener;
    }

    static int accept(int listener) throws Throwable {
        return check("raccept", (int) ACCEPT.invokeExact(listener, MemorySegment.NULL, MemorySegment.NULL));
    }

    static int open() throws Throwable {
        return check("rsocket", (int) SOCKET.invokeExact(AF_INET, SOCK_STREAM, 0));
    }

    static void connect(int socket, MemorySegment address) throws Throwable {
        check("rconnect", (int) CONNECT.invokeExact(socket, address, ADDRESS_BYTES));
    }

    /** Returns a {@code struct sockaddr_in} that lives as long as the process. */
    static MemorySegment encode(InetSocketAddress address) {
        MemorySegment encoded = Arena.global().allocate(ADDRESS_BYTES);
        encoded.set(JAVA_SHORT, 0, (short) AF_INET);
        encoded.set(JAVA_SHORT, 2, Short.reverseBytes((short) address.getPort()));
        MemorySegment.copy(address.getAddress().getAddress(), 0, encoded, JAVA_BYTE, 4, 4);
        return encoded;
    }

    /** Returns how many bytes were sent, or -1. */
    static long send(int socket, MemorySegment bytes, int flags) throws Throwable {
        return (long) SEND.invokeExact(socket, bytes, bytes.byteSize(), flags);
    }

    /** Returns how many bytes have come, 0 at the end of the stream, or -1. */
    static long receive(int socket, MemorySegment bytes, int flags) throws Throwable {
        return (long) RECEIVE.invokeExact(socket, bytes, bytes.byteSize(), flags);
    }

    static void close(int socket) throws Throwable {
        check("rshutdown", (int) SHUTDOWN.invokeExact(socket, SHUT_RDWR));
        check("rclose", (int) CLOSE.invokeExact(socket));
    }

    static int check(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(call + " returned " + result);
        }
        return result;
    }

    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(LIBRARY.find(name).orElseThrow(),
                FunctionDescriptor.of(result, arguments));
    }
}
