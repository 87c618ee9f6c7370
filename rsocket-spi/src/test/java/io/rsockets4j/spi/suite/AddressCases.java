/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Both ends agree on who they are, whatever address the server is bound to, and no two connections look the same. */
abstract class AddressCases extends SuiteCase {
    private final Payload payload = new Payload(8);

    @Test
    void shouldShowEachEndTheAddressOfTheOther() throws Exception {
        ServerSocketChannel server = listen();
        Pair pair = connect(server);
        assertAgreed(pair);
        assertThat(pair.client().getRemoteAddress()).isEqualTo(server.getLocalAddress());
        assertThat(local(pair.client()).getAddress()).isEqualTo(Machine.address());
        assertThat(local(pair.client()).getPort()).isPositive().isNotEqualTo(local(pair.server()).getPort());
    }

    @Test
    void shouldKeepItsAddressesAfterThePeerClosed() throws Exception {
        Pair pair = connect();
        InetSocketAddress local = local(pair.client());
        InetSocketAddress remote = remote(pair.client());
        pair.server().close();
        assertThat(pair.client().getLocalAddress()).isEqualTo(local);
        assertThat(pair.client().getRemoteAddress()).isEqualTo(remote);
    }

    @Test
    void shouldChooseAnEphemeralPortWhenBoundToPortZero() throws Exception {
        ServerSocketChannel first = listen();
        ServerSocketChannel second = listen();
        InetSocketAddress a = (InetSocketAddress) first.getLocalAddress();
        InetSocketAddress b = (InetSocketAddress) second.getLocalAddress();
        assertThat(a.getAddress()).isEqualTo(Machine.address());
        assertThat(a.getPort()).isPositive().isNotEqualTo(b.getPort());
    }

    @Test
    void shouldBindToTheWildcardAddressWhenTheAddressIsNull() throws Exception {
        ServerSocketChannel server = openServer().bind(null);
        InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
        assertThat(address.getAddress().isAnyLocalAddress()).isTrue();
        assertThat(address.getPort()).isPositive();
        SocketChannel client = open().bind(null);
        assertThat(local(client).getAddress().isAnyLocalAddress()).isTrue();
        assertThat(local(client).getPort()).isPositive();
    }

    @Test
    void shouldReachAWildcardServerByIpv4() throws Exception {
        assertReached(openServer().bind(null), Machine.address());
    }

    @Test
    @Requires(Capability.IPV6)
    void shouldReachAWildcardServerByIpv6() throws Exception {
        assertReached(openServer().bind(null), Machine.address6());
    }

    @Test
    @Requires(Capability.IPV6)
    void shouldReachAServerOnIpv6Alone() throws Exception {
        assertReached(openServer().bind(new InetSocketAddress(Machine.address6(), 0)), Machine.address6());
    }

    @Test
    @Requires(Capability.IPV6)
    void shouldRefuseIpv4WhereTheServerIsOnIpv6Alone() throws Exception {
        ServerSocketChannel server = openServer().bind(new InetSocketAddress(Machine.address6(), 0));
        InetSocketAddress other = new InetSocketAddress(Machine.address(), portOf(server));
        SocketChannel client = open();
        assertThat(assertThrowsExactly(ConnectException.class, () -> client.connect(other)))
                .hasMessageStartingWith("Connection refused");
    }

    @Test
    @Requires(Capability.SECOND_ADDRESS)
    void shouldReachAnotherAddressOfTheHost() throws Exception {
        InetAddress other = Machine.secondAddress();
        assertReached(openServer().bind(new InetSocketAddress(other, 0)), other);
    }

    @Test
    void shouldReachAWildcardServerByEveryAddressOfTheHost() throws Exception {
        ServerSocketChannel server = openServer().bind(null);
        boolean anyWillDo = sockets().capabilities().contains(Capability.LOOPBACK);
        InetAddress host = anyWillDo ? InetAddress.getLocalHost() : Machine.address();
        assertReached(server, InetAddress.getByAddress(host.getAddress()));
    }

    @Test
    @Requires(Capability.LOOPBACK)
    void shouldConnectToTheWildcardAddressAsToThisHost() throws Exception {
        ServerSocketChannel server = openServer().bind(null);
        InetAddress any = InetAddress.getByAddress(new byte[4]);
        SocketChannel client = open();
        client.connect(new InetSocketAddress(any, portOf(server)));
        Pair pair = new Pair(client, closing(server.accept()));
        assertThat(local(pair.client()).getPort()).isEqualTo(remote(pair.server()).getPort());
        assertThat(remote(pair.client()).getPort()).isEqualTo(portOf(server));
        assertCarries(pair);
    }

    @Test
    void shouldConnectFromThePortThatItWasBoundTo() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open().bind(new InetSocketAddress(Machine.address(), 0));
        InetSocketAddress bound = local(client);
        assertThat(bound.getPort()).isPositive();
        client.connect(server.getLocalAddress());
        Pair pair = new Pair(client, closing(server.accept()));
        assertThat(pair.client().getLocalAddress()).isEqualTo(bound);
        assertAgreed(pair);
        assertCarries(pair);
    }

    @Test
    void shouldRefuseToBindAClientToAPortInUse() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open();
        assertThat(assertThrowsExactly(BindException.class, () -> client.bind(server.getLocalAddress())))
                .hasMessage("Address already in use");
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseToBindToAnAddressThatIsNotOfThisHost() throws Exception {
        InetAddress foreign = InetAddress.getByAddress(new byte[] {(byte) 203, 0, 113, 77});
        InetSocketAddress address = new InetSocketAddress(foreign, 0);
        SocketChannel client = open();
        ServerSocketChannel server = openServer();
        assertThat(assertThrowsExactly(BindException.class, () -> client.bind(address)))
                .hasMessage("Cannot assign requested address");
        assertThat(assertThrowsExactly(BindException.class, () -> server.bind(address)))
                .hasMessage("Cannot assign requested address");
    }

    @Test
    void shouldGiveEachOf200ConnectionsAPortOfItsOwn() throws Exception {
        ServerSocketChannel server = listen();
        Set<Integer> clientPorts = new HashSet<>();
        Set<Integer> acceptedPorts = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            Pair pair = connect(server);
            assertAgreed(pair);
            clientPorts.add(local(pair.client()).getPort());
            acceptedPorts.add(remote(pair.server()).getPort());
        }
        assertThat(clientPorts).hasSize(200).doesNotContain(portOf(server));
        assertThat(acceptedPorts).isEqualTo(clientPorts);
    }

    @Test
    void shouldOpenChannelsOfAGivenFamily() throws Exception {
        ServerSocketChannel server =
                closing(sockets().serverProvider().openServerSocketChannel(StandardProtocolFamily.INET));
        server.bind(new InetSocketAddress(Machine.address(), 0));
        SocketChannel client = closing(sockets().clientProvider().openSocketChannel(StandardProtocolFamily.INET));
        client.connect(server.getLocalAddress());
        Pair pair = new Pair(client, closing(server.accept()));
        assertAgreed(pair);
        assertCarries(pair);
    }

    @Test
    @Requires(Capability.SECOND_ADDRESS)
    void shouldServeTheSamePortOnTwoAddresses() throws Exception {
        ServerSocketChannel first = listen();
        InetAddress other = Machine.secondAddress();
        ServerSocketChannel second = openServer().bind(new InetSocketAddress(other, portOf(first)));
        assertThat(local(connect(second).server()).getAddress()).isEqualTo(other);
        assertThat(local(connect(first).server()).getAddress()).isEqualTo(Machine.address());
    }

    private void assertReached(ServerSocketChannel server, InetAddress address) throws IOException {
        SocketChannel client = open();
        client.connect(new InetSocketAddress(address, portOf(server)));
        Pair pair = new Pair(client, closing(server.accept()));
        assertThat(remote(pair.client())).isEqualTo(new InetSocketAddress(address, portOf(server)));
        assertAgreed(pair);
        assertCarries(pair);
    }

    private static void assertAgreed(Pair pair) throws IOException {
        assertThat(pair.client().getLocalAddress()).isEqualTo(pair.server().getRemoteAddress());
        assertThat(pair.client().getRemoteAddress()).isEqualTo(pair.server().getLocalAddress());
    }

    private void assertCarries(Pair pair) throws IOException {
        Wire.writeFully(pair.client(), payload.slice(0, 100));
        Wire.receive(pair.server(), payload, 100, 100);
        Wire.writeFully(pair.server(), payload.slice(0, 100));
        Wire.receive(pair.client(), payload, 100, 100);
    }

    private static InetSocketAddress local(SocketChannel channel) throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    private static InetSocketAddress remote(SocketChannel channel) throws IOException {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    private static int portOf(ServerSocketChannel server) throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }
}
