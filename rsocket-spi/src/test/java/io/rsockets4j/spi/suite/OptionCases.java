/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Socket options: the same ones as plain TCP's, with the same defaults, and what is set is kept. */
abstract class OptionCases extends SuiteCase {
    /** Their values depend on the moment, not on the program. */
    private static final Set<String> VARYING = Set.of("SO_RCVBUF", "SO_SNDBUF", "SO_INCOMING_NAPI_ID", "TCP_QUICKACK");

    private final Sockets tcp = new TcpSockets();

    @Test
    void shouldSupportTheOptionsOfPlainTcp() throws Exception {
        assertThat(open().supportedOptions()).isEqualTo(open(tcp).supportedOptions());
        assertThat(openServer().supportedOptions()).isEqualTo(openServer(tcp).supportedOptions());
        assertThat(connect().server().supportedOptions()).isEqualTo(open(tcp).supportedOptions());
    }

    @Test
    void shouldHaveTheDefaultsOfPlainTcp() throws Exception {
        assertThat(valuesOf(open())).isEqualTo(valuesOf(open(tcp)));
        assertThat(valuesOf(openServer())).isEqualTo(valuesOf(openServer(tcp)));
        assertThat(valuesOf(listen())).isEqualTo(valuesOf(listen(tcp)));
    }

    @Test
    void shouldHaveTheDefaultsOfPlainTcpOnceConnected() throws Exception {
        Pair ours = connect();
        Pair plain = connect(tcp);
        assertThat(valuesOf(ours.client())).isEqualTo(valuesOf(plain.client()));
        assertThat(valuesOf(ours.server())).isEqualTo(valuesOf(plain.server()));
    }

    @Test
    void shouldKeepOptionsThatAreSetBeforeConnecting() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open();
        setAll(client);
        assertAllSet(client);
        client.connect(server.getLocalAddress());
        assertAllSet(client);
    }

    @Test
    void shouldKeepOptionsThatAreSetOnceConnected() throws Exception {
        Pair pair = connect();
        setAll(pair.client());
        setAll(pair.server());
        assertAllSet(pair.client());
        assertAllSet(pair.server());
        pair.client().setOption(StandardSocketOptions.TCP_NODELAY, false);
        pair.client().setOption(StandardSocketOptions.SO_LINGER, -1);
        assertThat(pair.client().getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
        assertThat(pair.client().getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 8192, 65_536, 150_000})
    void shouldCarryStreamsWhateverTheBufferSizes(int size) throws Exception {
        ServerSocketChannel server = openServer();
        server.setOption(StandardSocketOptions.SO_RCVBUF, size);
        server.bind(new InetSocketAddress(Machine.address(), 0));
        SocketChannel client = open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, size);
        client.setOption(StandardSocketOptions.SO_SNDBUF, size);
        assertThat(client.getOption(StandardSocketOptions.SO_RCVBUF)).isPositive();
        client.connect(server.getLocalAddress());
        SocketChannel accepted = closing(server.accept());
        Payload payload = new Payload(9);
        Task<Void> sender = start("sender", () -> {
            Wire.send(client, payload, 3_000_000, 70_001);
            return null;
        });
        Wire.receive(accepted, payload, 3_000_000, 9973);
        assertThat(sender.join()).isNull();
        assertThat(accepted.getOption(StandardSocketOptions.SO_RCVBUF)).isPositive();
    }

    /** Where the program has made them small, less fits in before anyone reads; but never less than with TCP. */
    @Test
    @Requires(Capability.SMALL_BUFFERS)
    void shouldHoldWhatItsBuffersHold() throws Exception {
        int small = held(sockets(), 16_384);
        assertThat(small).isLessThan(held(sockets(), 0) / 2);
        assertThat(small).isGreaterThan(held(tcp, 16_384) * 3 / 4); // TCP's figure varies a little
    }

    private int held(Sockets on, int size) throws Exception {
        ServerSocketChannel server = openServer(on);
        SocketChannel client = open(on);
        if (size > 0) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, size);
            client.setOption(StandardSocketOptions.SO_SNDBUF, size);
        }
        server.bind(new InetSocketAddress(Machine.address(), 0));
        client.connect(server.getLocalAddress());
        closing(server.accept());
        client.configureBlocking(false);
        ByteBuffer chunk = ByteBuffer.allocateDirect(1024);
        int held = 0;
        for (int count = 1; count > 0; held += count) {
            count = client.write(chunk.clear());
        }
        return held;
    }

    @Test
    void shouldRefuseValuesOutOfRange() throws Exception {
        SocketChannel channel = open();
        Class<IllegalArgumentException> expected = IllegalArgumentException.class;
        assertThrowsExactly(expected, () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, -1));
        assertThrowsExactly(expected, () -> channel.setOption(StandardSocketOptions.SO_SNDBUF, -1));
        assertThrowsExactly(expected, () -> channel.setOption(StandardSocketOptions.TCP_NODELAY, null));
        assertThrowsExactly(expected, () -> channel.setOption(StandardSocketOptions.IP_TOS, 256));
        assertThrowsExactly(NullPointerException.class, () -> channel.setOption(null, 1));
        assertThrowsExactly(NullPointerException.class, () -> channel.getOption(null));
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseOptionsThatItDoesNotSupport() throws Exception {
        SocketChannel channel = open();
        ServerSocketChannel server = openServer();
        Class<UnsupportedOperationException> expected = UnsupportedOperationException.class;
        assertThrowsExactly(expected, () -> channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
        assertThrowsExactly(expected, () -> channel.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
        assertThrowsExactly(expected, () -> server.setOption(StandardSocketOptions.TCP_NODELAY, true));
        assertThrowsExactly(expected, () -> server.getOption(StandardSocketOptions.SO_LINGER));
        assertThat(server.isOpen()).isTrue();
    }

    @Test
    void shouldReturnItselfFromSetOption() throws Exception {
        SocketChannel channel = open();
        ServerSocketChannel server = openServer();
        assertThat(channel.setOption(StandardSocketOptions.SO_REUSEADDR, true)).isSameAs(channel);
        assertThat(server.setOption(StandardSocketOptions.SO_REUSEADDR, true)).isSameAs(server);
        assertThat(server.getOption(StandardSocketOptions.SO_REUSEADDR)).isTrue();
    }

    /** Only a lingering close may wait, and only for bytes that the peer has room for. */
    @Test
    void shouldDeliverEverythingWhenClosedWithLinger() throws Exception {
        Pair pair = connect();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 5);
        Payload payload = new Payload(10);
        Wire.writeFully(pair.client(), payload.slice(0, 100_000));
        pair.client().close();
        Wire.receive(pair.server(), payload, 100_000, 1000);
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    private static void setAll(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.setOption(StandardSocketOptions.SO_LINGER, 7);
        channel.setOption(StandardSocketOptions.IP_TOS, 0x10);
    }

    private static void assertAllSet(SocketChannel channel) throws IOException {
        assertThat(channel.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
        assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        assertThat(channel.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(7);
        assertThat(channel.getOption(StandardSocketOptions.IP_TOS)).isEqualTo(0x10);
    }

    private static TreeMap<String, Object> valuesOf(NetworkChannel channel) throws IOException {
        TreeMap<String, Object> values = new TreeMap<>();
        for (SocketOption<?> option : new HashSet<>(channel.supportedOptions())) {
            if (!VARYING.contains(option.name())) {
                values.put(option.name(), String.valueOf(channel.getOption(option)));
            }
        }
        return values;
    }
}
