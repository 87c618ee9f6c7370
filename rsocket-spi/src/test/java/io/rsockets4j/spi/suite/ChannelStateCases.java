/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Task;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a channel answers before it is bound, before it is connected, and when it is asked twice; in both modes. */
abstract class ChannelStateCases extends SuiteCase {
    /** An address of a type that no socket knows. */
    private static final class OtherAddress extends SocketAddress {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void shouldOpenBlockingUnboundAndUnconnected() throws Exception {
        SocketChannel channel = open();
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.isBlocking()).isTrue();
        assertThat(channel.isConnected()).isFalse();
        assertThat(channel.isConnectionPending()).isFalse();
        assertThat(channel.isRegistered()).isFalse();
        assertThat(channel.getLocalAddress()).isNull();
        assertThat(channel.getRemoteAddress()).isNull();
        assertThat(openServer().getLocalAddress()).isNull();
        assertThat(openServer().isBlocking()).isTrue();
    }

    @Test
    void shouldNameItsProviderAndValidOps() throws Exception {
        Pair pair = connect();
        assertThat(pair.client().provider()).isSameAs(sockets().clientProvider());
        assertThat(pair.server().provider()).isSameAs(sockets().serverProvider());
        assertThat(openServer().provider()).isSameAs(sockets().serverProvider());
        assertThat(openSelector().provider()).isSameAs(sockets().provider());
        int all = SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;
        assertThat(pair.client().validOps()).isEqualTo(all);
        assertThat(pair.server().validOps()).isEqualTo(all);
        assertThat(openServer().validOps()).isEqualTo(SelectionKey.OP_ACCEPT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseToTransferBeforeItIsConnected(boolean blocking) throws Exception {
        SocketChannel channel = open();
        channel.configureBlocking(blocking);
        ByteBuffer one = ByteBuffer.allocate(1);
        ByteBuffer[] array = {one};
        assertThrowsExactly(NotYetConnectedException.class, () -> channel.read(one));
        assertThrowsExactly(NotYetConnectedException.class, () -> channel.write(one));
        assertThrowsExactly(NotYetConnectedException.class, () -> channel.read(array));
        assertThrowsExactly(NotYetConnectedException.class, () -> channel.write(array));
        assertThrowsExactly(NoConnectionPendingException.class, channel::finishConnect);
        assertThat(channel.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseToConnectTwice(boolean blocking) throws Exception {
        ServerSocketChannel server = listen();
        Pair pair = connect(server);
        pair.client().configureBlocking(blocking);
        SocketAddress address = server.getLocalAddress();
        assertThrowsExactly(AlreadyConnectedException.class, () -> pair.client().connect(address));
        assertThrowsExactly(AlreadyConnectedException.class, () -> pair.server().connect(address));
        assertThat(pair.client().finishConnect()).isTrue();
        assertThat(pair.client().isConnected()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseAddressesOfTheWrongKind(boolean blocking) throws Exception {
        SocketChannel channel = open();
        channel.configureBlocking(blocking);
        SocketAddress unresolved = InetSocketAddress.createUnresolved("host.invalid", 1);
        SocketAddress unix = UnixDomainSocketAddress.of("/nowhere");
        assertThrowsExactly(UnresolvedAddressException.class, () -> channel.connect(unresolved));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> channel.connect(new OtherAddress()));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> channel.connect(unix));
        assertThrowsExactly(NullPointerException.class, () -> channel.connect(null));
        assertThrowsExactly(UnresolvedAddressException.class, () -> channel.bind(unresolved));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> channel.bind(new OtherAddress()));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> channel.bind(unix));
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.isConnectionPending()).isFalse();
    }

    @Test
    void shouldRefuseToBindAServerToAddressesOfTheWrongKind() throws Exception {
        ServerSocketChannel server = openServer();
        SocketAddress unresolved = InetSocketAddress.createUnresolved("host.invalid", 1);
        assertThrowsExactly(UnresolvedAddressException.class, () -> server.bind(unresolved));
        assertThrowsExactly(UnsupportedAddressTypeException.class, () -> server.bind(new OtherAddress()));
        assertThat(server.isOpen()).isTrue();
        assertThat(server.getLocalAddress()).isNull();
    }

    @Test
    void shouldRefuseToBindTwice() throws Exception {
        SocketChannel client = open().bind(null);
        assertThrowsExactly(AlreadyBoundException.class, () -> client.bind(null));
        assertThrowsExactly(AlreadyBoundException.class, () -> connect().client().bind(null));
        ServerSocketChannel server = listen();
        assertThrowsExactly(AlreadyBoundException.class, () -> server.bind(null));
        assertThat(server.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseToAcceptBeforeItIsBound(boolean blocking) throws Exception {
        ServerSocketChannel server = openServer();
        server.configureBlocking(blocking);
        assertThrowsExactly(NotYetBoundException.class, server::accept);
        assertThat(server.isOpen()).isTrue();
    }

    /** In blocking mode JDK 17 throws the subclass AsynchronousCloseException here, and 25 does not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseToConnectOrAcceptOnceClosed(boolean blocking) throws Exception {
        SocketChannel client = open();
        client.configureBlocking(blocking);
        client.close();
        ServerSocketChannel server = listen();
        SocketAddress address = server.getLocalAddress();
        server.configureBlocking(blocking);
        server.close();
        Class<? extends Exception> expected = ClosedChannelException.class;
        assertThat(catchThrowable(() -> client.connect(address))).isInstanceOf(expected);
        assertThat(catchThrowable(server::accept)).isInstanceOf(expected);
    }

    @Test
    void shouldRefuseAConnectToAClosedPortAndCloseTheChannel() throws Exception {
        SocketChannel channel = open();
        InetSocketAddress nobody = Machine.closedPort();
        ConnectException refused = assertThrowsExactly(ConnectException.class, () -> channel.connect(nobody));
        assertThat(refused).hasMessageStartingWith("Connection refused");
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.isConnected()).isFalse();
    }

    @Test
    void shouldRefuseAConnectToAPortWhoseServerIsClosed() throws Exception {
        ServerSocketChannel server = listen();
        SocketAddress address = server.getLocalAddress();
        connect(server);
        server.close();
        SocketChannel channel = open();
        ConnectException refused = assertThrowsExactly(ConnectException.class, () -> channel.connect(address));
        assertThat(refused).hasMessageStartingWith("Connection refused");
    }

    @Test
    void shouldRefuseToBindAPortThatIsInUse() throws Exception {
        SocketAddress used = listen().getLocalAddress();
        ServerSocketChannel second = openServer();
        assertThat(assertThrowsExactly(BindException.class, () -> second.bind(used)))
                .hasMessage("Address already in use");
        assertThat(second.isOpen()).isTrue();
        assertThat(second.bind(null).getLocalAddress()).isNotNull();
    }

    @Test
    void shouldSwitchModesInTheMiddleOfAStream() throws Exception {
        Pair pair = connect();
        ByteBuffer three = ByteBuffer.wrap(new byte[] {1, 2, 3});
        for (int i = 0; i < 20; i++) {
            pair.configureBlocking(i % 2 == 0);
            assertThat(pair.client().isBlocking()).isEqualTo(i % 2 == 0);
            assertThat(pair.client().write(three.rewind())).isEqualTo(3);
            ByteBuffer target = ByteBuffer.allocate(3);
            while (target.hasRemaining()) {
                pair.server().read(target);
            }
            assertThat(target.array()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void shouldWaitForTheReaderBeforeItChangesTheMode() throws Exception {
        Pair pair = connect();
        Task<Integer> reader = start("reader", () -> pair.server().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        Task<Object> mode = start("mode", () -> pair.server().configureBlocking(false));
        mode.awaitBlockedIn("configureBlocking");
        pair.client().write(ByteBuffer.allocate(1));
        assertThat(reader.join()).isEqualTo(1);
        assertThat(mode.join()).isSameAs(pair.server());
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isZero();
    }

    @Test
    void shouldLendItsBlockingLock() throws Exception {
        SocketChannel channel = connect().client();
        synchronized (channel.blockingLock()) {
            assertThat(channel.isBlocking()).isTrue();
            channel.configureBlocking(false);
        }
        assertThat(channel.isBlocking()).isFalse();
    }

    @Test
    void shouldDescribeItselfInToString() throws Exception {
        SocketChannel channel = open();
        assertThat(channel.toString()).endsWith("SocketChannel[unconnected]");
        ServerSocketChannel server = listen();
        SocketChannel client = connect(server).client();
        String addresses = "local=" + client.getLocalAddress() + " remote=" + client.getRemoteAddress() + "]";
        assertThat(client.toString()).endsWith("SocketChannel[connected " + addresses);
        client.shutdownInput();
        assertThat(client.toString()).endsWith("SocketChannel[connected ishut " + addresses);
        client.shutdownOutput();
        assertThat(client.toString()).endsWith("SocketChannel[connected ishut oshut " + addresses);
        client.close();
        assertThat(client.toString()).endsWith("SocketChannel[closed]");
        assertThat(openServer().toString()).contains("[unbound]");
        server.close();
        assertThat(server.toString()).contains("[closed]");
    }
}
