/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Interrupts of threads that use {@code java.net.Socket} and {@code ServerSocket}. On a platform thread an interrupt
 * neither ends a call nor closes the socket, and it is kept. On a virtual one it does both, if the call has to wait.
 */
@Requires(Capability.SOCKET)
abstract class SocketInterruptCases extends SuiteCase {
    private ServerSocket listener;
    private Socket client;
    private Socket server;

    @BeforeEach
    final void connectTwo() throws IOException {
        listener = closing(sockets().newServerSocket());
        listener.bind(new InetSocketAddress(Machine.address(), 0));
        client = connected();
        server = closing(listener.accept());
    }

    private Socket connected() throws IOException {
        Socket socket = closing(sockets().newSocket());
        socket.connect(listener.getLocalSocketAddress());
        return socket;
    }

    @Test
    void shouldNotMindAnInterruptDuringRead() throws Exception {
        Task<Integer> reader = start("reader", () -> client.getInputStream().read());
        reader.awaitBlockedIn("read");
        reader.interrupt();
        reader.awaitBlockedIn("read");
        server.getOutputStream().write(3);
        assertThat(reader.join()).isEqualTo(3);
        assertThat(reader.wasInterruptedAtEnd()).isTrue();
        assertThat(client.isClosed()).isFalse();
    }

    @Test
    void shouldNotMindAnInterruptSetBefore() throws Exception {
        Task<Integer> task = start("interrupted", () -> {
            Thread.currentThread().interrupt();
            Socket second = connected();
            second.getOutputStream().write(4);
            return closing(listener.accept()).getInputStream().read();
        });
        assertThat(task.join()).isEqualTo(4);
        assertThat(task.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    void shouldNotMindAnInterruptDuringAccept() throws Exception {
        Task<Socket> accepter = start("accepter", listener::accept);
        accepter.awaitBlockedIn("accept");
        accepter.interrupt();
        accepter.awaitBlockedIn("accept");
        Socket second = connected();
        assertThat(closing(accepter.join()).getPort()).isEqualTo(second.getLocalPort());
        assertThat(accepter.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    @Requires(Capability.VIRTUAL_THREADS)
    void shouldCloseASocketByAnInterruptDuringReadOnAVirtualThread() throws Exception {
        for (int timeoutMs : new int[] {0, 60_000}) {
            Socket socket = connected();
            socket.setSoTimeout(timeoutMs);
            Task<Integer> reader = startVirtual("reader", () -> socket.getInputStream().read());
            reader.awaitBlockedIn("read");
            reader.interrupt();
            assertClosedByInterrupt(reader);
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @Test
    @Requires(Capability.VIRTUAL_THREADS)
    void shouldCloseASocketByAnInterruptDuringWriteOnAVirtualThread() throws Exception {
        Task<Void> writer = startVirtual("writer", () -> {
            OutputStream out = client.getOutputStream();
            for (byte[] chunk = new byte[1 << 20];;) {
                out.write(chunk);
            }
        });
        writer.awaitBlockedIn("write");
        writer.interrupt();
        assertClosedByInterrupt(writer);
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    @Requires(Capability.VIRTUAL_THREADS)
    void shouldCloseAServerSocketByAnInterruptDuringAcceptOnAVirtualThread() throws Exception {
        Task<Socket> accepter = startVirtual("accepter", listener::accept);
        accepter.awaitBlockedIn("accept");
        accepter.interrupt();
        assertClosedByInterrupt(accepter);
        assertThat(listener.isClosed()).isTrue();
    }

    @Test
    @Requires(Capability.VIRTUAL_THREADS)
    void shouldNotMindAnInterruptSetBeforeOnAVirtualThreadThatNeedNotWait() throws Exception {
        Socket second = connected();
        second.getOutputStream().write(5);
        Task<Integer> task = startVirtual("interrupted", () -> {
            Thread.currentThread().interrupt();
            Socket accepted = closing(listener.accept());
            accepted.getOutputStream().write(6);
            return accepted.getInputStream().read();
        });
        assertThat(task.join()).isEqualTo(5);
        assertThat(task.wasInterruptedAtEnd()).isTrue();
        assertThat(second.getInputStream().read()).isEqualTo(6);
    }

    @Test
    @Requires(Capability.VIRTUAL_THREADS)
    void shouldCloseASocketByAnInterruptSetBeforeAReadOnAVirtualThread() throws Exception {
        Task<Integer> reader = startVirtual("interrupted", () -> {
            Thread.currentThread().interrupt();
            return client.getInputStream().read();
        });
        assertClosedByInterrupt(reader);
        assertThat(client.isClosed()).isTrue();
    }

    private static void assertClosedByInterrupt(Task<?> task) {
        assertThat(task.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
        assertThat(task.wasInterruptedAtEnd()).isTrue();
    }
}
