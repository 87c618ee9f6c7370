/* SPDX-License-Identifier: Apache-2.0 */

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
import java.net.InetAddress;

/**
 * How long librdmacm's rsockets take to connect, echo one byte and close, as work {@code connect} of the benchmark does
 * it; rstream does not tell. Both ends are processes of their own. Run as a source file: RsocketsSetUp.java ADDRESS.
 */
final class RsocketsSetUp implements Measurement.Side {
    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int SHUT_RDWR = 2;
    private static final short PORT = 7711;
    private static final int WARM_UP = 50;
    private static final int MEASURED = 150;

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

    private final MemorySegment address = Arena.global().allocate(16);
    private final MemorySegment oneByte = Arena.global().allocate(8);

    private RsocketsSetUp(InetAddress host) {
        address.set(JAVA_SHORT, 0, (short) AF_INET);
        address.set(JAVA_SHORT, 2, Short.reverseBytes(PORT));
        MemorySegment.copy(host.getAddress(), 0, address, JAVA_BYTE, 4, 4);
    }

    public static void main(String[] args) throws Throwable {
        Measurement.run(new RsocketsSetUp(InetAddress.getByName(args[0])), args);
    }

    @Override
    public void serve() throws Throwable {
        int listener = check("rsocket", (int) SOCKET.invokeExact(AF_INET, SOCK_STREAM, 0));
        check("rbind", (int) BIND.invokeExact(listener, address, 16));
        check("rlisten", (int) LISTEN.invokeExact(listener, 64));
        System.out.println("listening");
        for (;;) {
            int end = check("raccept", (int) ACCEPT.invokeExact(listener, MemorySegment.NULL, MemorySegment.NULL));
            if (receive(end) == 1) {
                send(end);
                receive(end); // the end of the stream
            }
            int ignored = (int) CLOSE.invokeExact(end);
        }
    }

    @Override
    public void measure() throws Throwable {
        long[] connect = new long[MEASURED];
        long[] all = new long[MEASURED];
        for (int i = -WARM_UP; i < MEASURED; i++) {
            long start = System.nanoTime();
            int end = check("rsocket", (int) SOCKET.invokeExact(AF_INET, SOCK_STREAM, 0));
            check("rconnect", (int) CONNECT.invokeExact(end, address, 16));
            long connected = System.nanoTime();
            send(end);
            check("rrecv", (int) receive(end));
            check("rshutdown", (int) SHUTDOWN.invokeExact(end, SHUT_RDWR));
            check("rclose", (int) CLOSE.invokeExact(end));
            if (i >= 0) {
                connect[i] = connected - start;
                all[i] = System.nanoTime() - start;
            }
        }
        Measurement.print("rsockets connect", connect);
        Measurement.print("rsockets connect, echo, close", all);
    }

    private void send(int end) throws Throwable {
        check("rsend", (int) (long) SEND.invokeExact(end, oneByte, 1L, 0));
    }

    private long receive(int end) throws Throwable {
        return (long) RECEIVE.invokeExact(end, oneByte, 1L, 0);
    }

    private static int check(String call, int result) {
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
