/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.PinnedThreads;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
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
    private static final int FEW = 8;
    private static final int MORE_THAN_CARRIERS = 300; // the JDK adds carriers for some kinds of wait, up to 256
    private static final int MORE_THAN_FITS = 4 << 20;

    private final Payload payload = new Payload(17);

    @Test
    void shouldEchoOnManyMoreThreadsThanCarriers() throws Exception {
        int count = many();
        ServerSocketChannel server = listen(count);
        Task<List<Task<?>>> accepting = startVirtual("accepting", () -> {
            List<Task<?>> echoes = new ArrayList<>();
            while (echoes.size() < count) {
                SocketChannel accepted = closing(server.accept());
                echoes.add(startVirtual("echo", () -> echo(accepted)));
            }
            return echoes;
        });
        List<Task<?>> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(startVirtual("client", () -> exchange(connectTo(server))));
        }
        joinAll(accepting.join());
        joinAll(clients);
    }

    @Test
    void shouldEchoOverManySockets() throws Exception {
        ServerSocket server = newServerSocket();
        int count = many();
        server.bind(new InetSocketAddress(Machine.address(), 0), count);
        Task<List<Task<?>>> accepting = startVirtual("accepting", () -> {
            List<Task<?>> echoes = new ArrayList<>();
            while (echoes.size() < count) {
                Socket accepted = closing(server.accept());
                echoes.add(startVirtual("echo",
                        () -> accepted.getInputStream().transferTo(accepted.getOutputStream())));
            }
            return echoes;
        });
        List<Task<?>> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(startVirtual("client", () -> exchange(newSocket(), server)));
        }
        joinAll(clients);
        joinAll(accepting.join());
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
        Task<Void> echo = startVirtual("echo", () -> echo(pair.server()));
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

    /** A listener's accept must not hold the carrier that others need: there are far fewer than these. */
    @Test
    void shouldBlockInManyAcceptsAndStillServeOthers() throws Exception {
        List<Task<SocketChannel>> accepters = new ArrayList<>();
        List<ServerSocketChannel> servers = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_CARRIERS; i++) {
            ServerSocketChannel server = listen();
            servers.add(server);
            accepters.add(startVirtual("accepter", server::accept));
        }
        for (Task<?> accepter : accepters) {
            accepter.awaitBlockedIn("accept");
        }
        Pair pair = connect();
        Task<Void> echo = startVirtual("echo", () -> echo(pair.server()));
        startVirtual("client", () -> exchange(pair.client())).join();
        echo.join();
        for (int i = 0; i < MORE_THAN_CARRIERS; i++) {
            SocketChannel late = connectTo(servers.get(i));
            assertThat(closing(accepters.get(i).join()).getRemoteAddress()).isEqualTo(late.getLocalAddress());
        }
    }

    /** Closes come from virtual threads too, at every point of an accept. */
    @Test
    void shouldEndAnAcceptByCloseWhereverItIs() throws Exception {
        for (int round = 0; round < SOME; round++) {
            ServerSocketChannel server = listen();
            Task<SocketChannel> accepter = startVirtual("accepter", server::accept);
            Task<Void> closer = startVirtual("closer", () -> {
                server.close();
                return null;
            });
            closer.join();
            assertThat(accepter.failure()).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void shouldTimeOutInReadsAndAccepts() throws Exception {
        ServerSocketChannel server = listen();
        server.socket().setSoTimeout(20);
        Pair pair = connect(server);
        pair.client().socket().setSoTimeout(20);
        Task<Integer> reader = startVirtual("reader", () -> pair.client().socket().getInputStream().read());
        assertThat(reader.failure()).isExactlyInstanceOf(SocketTimeoutException.class).hasMessage("Read timed out");
        Task<Socket> accepter = startVirtual("accepter", () -> server.socket().accept());
        assertThat(accepter.failure()).isExactlyInstanceOf(SocketTimeoutException.class)
                .hasMessage("Accept timed out");
        pair.server().write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(startVirtual("again", () -> pair.client().socket().getInputStream().read()).join()).isEqualTo(7);
    }

    @Test
    void shouldNotPinItsCarrierWhereItWaits() throws Exception {
        assertThat(PinnedThreads.during(this::waitEverywhere)).isEmpty();
    }

    private Void waitEverywhere() throws Exception {
        ServerSocketChannel server = listen();
        List<Task<?>> tasks = new ArrayList<>();
        for (int i = 0; i < FEW; i++) {
            Task<SocketChannel> accepter = startVirtual("accepter", () -> closing(server.accept()));
            accepter.awaitBlockedIn("accept");
            SocketChannel client = startVirtual("connecting", () -> connectTo(server)).join();
            Socket accepted = accepter.join().socket();
            Task<Long> reader = startVirtual("reader", () -> {
                accepted.setSoTimeout(60_000);
                long count = accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
                accepted.close();
                return count;
            });
            reader.awaitBlockedIn("read");
            tasks.add(reader);
            tasks.add(startVirtual("writer", () -> {
                client.write(ByteBuffer.allocate(MORE_THAN_FITS));
                client.shutdownOutput();
                return client.read(ByteBuffer.allocate(1));
            }));
        }
        joinAll(tasks);
        return null;
    }

    /** @return how many connections are many, with two threads each */
    private int many() {
        return sockets().capabilities().contains(Capability.THOUSAND_CONNECTIONS) ? MANY : SOME;
    }

    private Socket newSocket() throws IOException {
        boolean own = sockets().capabilities().contains(Capability.SOCKET);
        return own ? closing(sockets().newSocket()) : open().socket();
    }

    private ServerSocket newServerSocket() throws IOException {
        boolean own = sockets().capabilities().contains(Capability.SOCKET);
        return own ? closing(sockets().newServerSocket()) : openServer().socket();
    }

    private static void joinAll(List<Task<?>> tasks) throws Exception {
        for (Task<?> task : tasks) {
            task.join();
        }
    }

    private static Void echo(SocketChannel channel) throws IOException {
        Wire.echo(channel);
        channel.close();
        return null;
    }

    private Void exchange(SocketChannel client) throws IOException {
        for (int i = 0; i < 5; i++) {
            Wire.writeFully(client, payload.slice(i * 100L, 3000));
            Wire.receive(client, payload, i * 100L, i * 100L + 3000, 3000);
        }
        client.close();
        return null;
    }

    private Void exchange(Socket client, ServerSocket server) throws IOException {
        client.connect(server.getLocalSocketAddress());
        for (int i = 0; i < 5; i++) {
            client.getOutputStream().write(payload.slice(i * 100L, 3000).array());
            payload.check(ByteBuffer.wrap(client.getInputStream().readNBytes(3000)), i * 100L);
        }
        client.close();
        return null;
    }
}
