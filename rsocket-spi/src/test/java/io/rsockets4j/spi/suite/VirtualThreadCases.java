/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocking calls on virtual threads: as on platform threads, and the few carriers serve many. */
@Requires(Capability.VIRTUAL_THREADS)
abstract class VirtualThreadCases extends SuiteCase {
    private static final int MANY = 1000;
    private static final int SOME = 100;

    private final Payload payload = new Payload(17);

    @Test
    @Requires(Capability.THOUSAND_CONNECTIONS)
    void shouldEchoOnManyMoreThreadsThanCarriers() throws Exception {
        ServerSocketChannel server = listen();
        List<Task<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Pair pair = connect(server);
            tasks.add(startVirtual("echo", () -> {
                Wire.echo(pair.server());
                pair.server().close();
                return null;
            }));
            tasks.add(startVirtual("client", () -> exchange(pair.client())));
        }
        for (Task<Void> task : tasks) {
            task.join();
        }
        assertThat(tasks).noneMatch(Task::isRunning);
    }

    @Test
    void shouldBlockInManyReadsAndAcceptsAndStillServeOthers() throws Exception {
        ServerSocketChannel server = listen();
        List<Task<Integer>> blocked = new ArrayList<>();
        List<SocketChannel> silent = new ArrayList<>();
        for (int i = 0; i < SOME; i++) {
            Pair quiet = connect(server);
            silent.add(quiet.client());
            blocked.add(startVirtual("blocked", () -> quiet.server().read(ByteBuffer.allocate(1))));
        }
        ServerSocketChannel lonely = listen();
        Task<SocketChannel> accepter = startVirtual("accepter", lonely::accept);
        Pair pair = connect(server);
        Task<Void> echo = startVirtual("echo", () -> {
            Wire.echo(pair.server());
            pair.server().close();
            return null;
        });
        startVirtual("client", () -> exchange(pair.client())).join();
        echo.join();
        assertThat(blocked).allMatch(Task::isRunning);
        SocketChannel late = connectTo(lonely);
        assertThat(closing(accepter.join()).getRemoteAddress()).isEqualTo(late.getLocalAddress());
        for (int i = 0; i < SOME; i++) {
            silent.get(i).write(ByteBuffer.allocate(1));
            assertThat(blocked.get(i).join()).isEqualTo(1);
        }
    }

    @Test
    void shouldEndABlockedReadByClose() throws Exception {
        SocketChannel channel = connect().client();
        Task<Integer> reader = startVirtual("reader", () -> channel.read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        channel.close();
        assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldCloseByAnInterruptDuringRead() throws Exception {
        Pair pair = connect();
        Task<Integer> reader = startVirtual("reader", () -> pair.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        reader.interrupt();
        assertThat(reader.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(reader.wasInterruptedAtEnd()).isTrue();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldEndABlockedAcceptByClose() throws Exception {
        ServerSocketChannel server = listen();
        Task<SocketChannel> accepter = startVirtual("accepter", server::accept);
        accepter.awaitBlockedIn("accept");
        server.close();
        assertThat(accepter.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    /** Unlike on a platform thread, an interrupt closes a socket on which a virtual thread is blocked. */
    @Test
    @Requires(Capability.SOCKET)
    void shouldCloseASocketByAnInterruptDuringRead() throws Exception {
        ServerSocket server = closing(sockets().newServerSocket());
        server.bind(new InetSocketAddress(Machine.address(), 0));
        Socket client = closing(sockets().newSocket());
        client.connect(server.getLocalSocketAddress());
        closing(server.accept());
        Task<Integer> reader = startVirtual("reader", () -> client.getInputStream().read());
        reader.awaitBlockedIn("read");
        reader.interrupt();
        assertThat(reader.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
        assertThat(reader.wasInterruptedAtEnd()).isTrue();
        assertThat(client.isClosed()).isTrue();
    }

    private Void exchange(SocketChannel client) throws Exception {
        for (int i = 0; i < 5; i++) {
            Wire.writeFully(client, payload.slice(i * 100L, 3000));
            Wire.receive(client, payload, i * 100L, i * 100L + 3000, 3000);
        }
        client.close();
        return null;
    }
}
