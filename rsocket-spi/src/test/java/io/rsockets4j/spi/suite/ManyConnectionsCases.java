/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.EchoServer;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many connections at once, many after one another, and many that nobody has accepted yet. */
abstract class ManyConnectionsCases extends SuiteCase {
    private final Payload payload = new Payload(12);

    @Test
    void shouldKeep200ConnectionsApart() throws Exception {
        ServerSocketChannel server = listen();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            pairs.add(connect(server));
        }
        for (int i = 0; i < 200; i++) {
            Wire.writeFully(pairs.get(i).client(), payload.slice(i * 1000L, 1000));
            Wire.writeFully(pairs.get(i).server(), payload.slice(i * 777L, 777));
        }
        for (int i = 0; i < 200; i++) {
            Wire.receive(pairs.get(i).server(), payload, i * 1000L, i * 1000L + 1000, 1000);
            Wire.receive(pairs.get(i).client(), payload, i * 777L, i * 777L + 777, 1000);
        }
        pairs.get(77).client().close();
        assertThat(pairs.get(77).server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(pairs.get(78).client().write(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @Test
    void shouldServe200ConnectionsThatComeAtOnceFromManyThreads() throws Exception {
        ServerSocketChannel server = openServer().bind(new InetSocketAddress(Machine.address(), 0), 256);
        Task<Integer> echoes = start("server", () -> echoOneMessageEach(server, 200));
        List<Task<Void>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int first = i * 25;
            clients.add(start("clients", () -> {
                connectAll(server.getLocalAddress(), first, 25);
                return null;
            }));
        }
        for (Task<Void> client : clients) {
            client.join();
        }
        assertThat(echoes.join()).isEqualTo(200);
    }

    @Test
    void shouldHoldConnectionsAndTheirBytesUntilTheyAreAccepted() throws Exception {
        ServerSocketChannel server = openServer().bind(new InetSocketAddress(Machine.address(), 0), 50);
        Map<SocketAddress, Integer> sent = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            SocketChannel client = connectTo(server);
            assertThat(client.write(payload.slice(i, 100))).isEqualTo(100);
            sent.put(client.getLocalAddress(), i);
            if (i % 4 == 3) {
                client.close();
            }
        }
        for (int i = 0; i < 20; i++) {
            SocketChannel accepted = closing(server.accept());
            int number = sent.remove(accepted.getRemoteAddress());
            Wire.receive(accepted, payload, number, number + 100, 64);
            if (number % 4 == 3) {
                assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void shouldAcceptInTheOrderOfArrival() throws Exception {
        ServerSocketChannel server = listen();
        List<SocketAddress> connected = new ArrayList<>();
        List<SocketAddress> accepted = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            connected.add(connectTo(server).getLocalAddress());
        }
        for (int i = 0; i < 20; i++) {
            accepted.add(closing(server.accept()).getRemoteAddress());
        }
        assertThat(accepted).isEqualTo(connected);
    }

    @Test
    @Timeout(60)
    void shouldConnectAllThoughTheBacklogIsSmaller() throws Exception {
        ServerSocketChannel server = openServer().bind(new InetSocketAddress(Machine.address(), 0), 2);
        List<Task<Void>> clients = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int number = i;
            clients.add(start("client", () -> {
                connectAll(server.getLocalAddress(), number, 1);
                return null;
            }));
        }
        assertThat(echoOneMessageEach(server, 12)).isEqualTo(12);
        for (Task<Void> client : clients) {
            client.join();
        }
    }

    @Test
    @Timeout(60)
    void shouldServe1000ShortConnectionsOneAfterAnother() throws Exception {
        ServerSocketChannel server = listen();
        Task<Integer> echoes = start("server", () -> echoOneMessageEach(server, 1000));
        for (int i = 0; i < 1000; i++) {
            try (SocketChannel client = sockets().clientProvider().openSocketChannel()) {
                client.connect(server.getLocalAddress());
                exchange(client, i);
            }
        }
        assertThat(echoes.join()).isEqualTo(1000);
    }

    @Test
    void shouldSurviveConnectionsThatAreClosedAtOnce() throws Exception {
        ServerSocketChannel server = listen();
        for (int i = 0; i < 100; i++) {
            connectTo(server).close();
            SocketChannel accepted = closing(server.accept());
            assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            accepted.close();
        }
        Pair pair = connect(server);
        exchangeBothWays(pair);
    }

    @Test
    void shouldEchoFromOneSelectorTo64Clients() throws Exception {
        ServerSocketChannel server = listen();
        Task<Long> echo = start("echo", new EchoServer(openSelector(), server)::call);
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            clients.add(connectTo(server));
        }
        for (int round = 0; round < 20; round++) {
            int size = 1 + round * 997;
            for (int i = 0; i < 64; i++) {
                Wire.writeFully(clients.get(i), payload.slice(i * 31L, size));
            }
            for (int i = 0; i < 64; i++) {
                Wire.receive(clients.get(i), payload, i * 31L, i * 31L + size, 8192);
            }
        }
        server.close();
        for (SocketChannel client : clients) {
            client.shutdownOutput();
            assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(echo.join()).isEqualTo(64);
    }

    @Test
    void shouldDrive64ClientsFromOneSelector() throws Exception {
        ServerSocketChannel server = listen();
        Task<Long> echo = start("echo", new EchoServer(openSelector(), server)::call);
        Selector selector = openSelector();
        for (int i = 0; i < 64; i++) {
            SocketChannel client = open();
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT, new int[] {i, 0});
            if (client.connect(server.getLocalAddress())) {
                key.interestOps(SelectionKey.OP_WRITE);
            }
        }
        int[] ended = new int[1];
        while (ended[0] < 64) {
            selector.select(key -> ended[0] += drive(key));
        }
        server.close();
        assertThat(echo.join()).isEqualTo(64);
    }

    /**
     * One step of a client: finish the connect, write a message, read its echo to the end of the stream.
     *
     * @return 1 after the last step, else 0
     */
    private int drive(SelectionKey key) {
        SocketChannel channel = (SocketChannel) key.channel();
        int[] state = (int[]) key.attachment();
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                key.interestOps(SelectionKey.OP_WRITE);
            } else if (key.isWritable()) {
                assertThat(channel.write(payload.slice(state[0], 500))).isEqualTo(500);
                channel.shutdownOutput();
                key.interestOps(SelectionKey.OP_READ);
            } else if (key.isReadable()) {
                ByteBuffer target = ByteBuffer.allocate(300);
                int count = channel.read(target);
                payload.check(target.flip(), state[0] + state[1]);
                state[1] += Math.max(count, 0);
                if (count < 0) {
                    assertThat(state[1]).isEqualTo(500);
                    channel.close();
                    return 1;
                }
            }
            return 0;
        } catch (IOException e) {
            throw new IllegalStateException("client " + state[0], e);
        }
    }

    private void connectAll(SocketAddress address, int first, int count) throws IOException {
        for (int i = first; i < first + count; i++) {
            try (SocketChannel client = sockets().clientProvider().openSocketChannel()) {
                client.connect(address);
                exchange(client, i);
            }
        }
    }

    private void exchange(SocketChannel client, int number) throws IOException {
        Wire.writeFully(client, payload.slice(number, 64));
        Wire.receive(client, payload, number, number + 64, 64);
    }

    private void exchangeBothWays(Pair pair) throws IOException {
        Wire.writeFully(pair.client(), payload.slice(0, 5000));
        Wire.receive(pair.server(), payload, 5000, 5000);
        Wire.writeFully(pair.server(), payload.slice(0, 5000));
        Wire.receive(pair.client(), payload, 5000, 5000);
    }

    private static Integer echoOneMessageEach(ServerSocketChannel server, int connections) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        int served = 0;
        while (served < connections) {
            try (SocketChannel accepted = server.accept()) {
                Wire.readFully(accepted, buffer.clear());
                Wire.writeFully(accepted, buffer.flip());
                assertThat(accepted.read(buffer.clear())).isEqualTo(-1);
                served++;
            }
        }
        return served;
    }
}
