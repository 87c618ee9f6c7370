/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Machine;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Addresses and options of asynchronous channels. */
abstract class AsyncAddressCases extends AsyncCase {
    @Test
    void shouldKnowBothAddresses() throws Exception {
        AsynchronousSocketChannel unconnected = openAsync();
        assertThat(unconnected.getLocalAddress()).isNull();
        assertThat(unconnected.getRemoteAddress()).isNull();
        AsyncPair pair = connectAsync();
        assertThat(pair.client().getLocalAddress()).isEqualTo(pair.server().getRemoteAddress());
        assertThat(pair.client().getRemoteAddress()).isEqualTo(pair.server().getLocalAddress());
        InetSocketAddress local = (InetSocketAddress) pair.client().getLocalAddress();
        assertThat(local.getAddress()).isEqualTo(Machine.address());
        assertThat(local.getPort()).isPositive();
    }

    @Test
    void shouldConnectFromTheAddressThatItIsBoundTo() throws Exception {
        AsynchronousServerSocketChannel server = listenAsync();
        AsynchronousSocketChannel client = openAsync();
        assertThat(client.bind(new InetSocketAddress(Machine.address(), 0))).isSameAs(client);
        InetSocketAddress bound = (InetSocketAddress) client.getLocalAddress();
        assertThatThrownBy(() -> client.bind(null)).isExactlyInstanceOf(AlreadyBoundException.class);
        var accepted = server.accept();
        get(client.connect(server.getLocalAddress()));
        assertThat(client.getLocalAddress()).isEqualTo(bound);
        assertThat(closing(get(accepted)).getRemoteAddress()).isEqualTo(bound);
    }

    @Test
    void shouldBindServers() throws Exception {
        AsynchronousServerSocketChannel server = openAsyncServer(null);
        assertThat(server.getLocalAddress()).isNull();
        assertThat(server.bind(new InetSocketAddress(0))).isSameAs(server);
        assertThat(((InetSocketAddress) server.getLocalAddress()).getAddress().isAnyLocalAddress()).isTrue();
    }

    @Test
    void shouldSayWhatTheyAre() throws Exception {
        AsynchronousServerSocketChannel server = openAsyncServer(null);
        assertThat(server.toString()).endsWith("[unbound]");
        server.bind(new InetSocketAddress(Machine.address(), 0));
        assertThat(server.toString()).endsWith("[" + server.getLocalAddress() + "]");
        assertThat(openAsync().toString()).endsWith("[unconnected]");
        AsyncPair pair = connectAsync();
        pair.client().shutdownInput();
        assertThat(pair.client().toString()).endsWith("[connected ishut local=" + pair.client().getLocalAddress()
                + " remote=" + pair.client().getRemoteAddress() + "]");
        pair.client().close();
        server.close();
        assertThat(pair.client().toString()).endsWith("[closed]");
        assertThat(server.toString()).endsWith("[closed]");
    }

    /** Exactly those of the JDK's own channels, on whatever Java this is. */
    @Test
    void shouldSupportTheOptionsOfTcp() throws Exception {
        AsynchronousChannelProvider tcp = new TcpSockets().asyncProvider();
        AsynchronousSocketChannel channel = closing(tcp.openAsynchronousSocketChannel(null));
        AsynchronousServerSocketChannel server = closing(tcp.openAsynchronousServerSocketChannel(null));
        assertThat(openAsync().supportedOptions()).isEqualTo(channel.supportedOptions());
        assertThat(openAsyncServer(null).supportedOptions()).isEqualTo(server.supportedOptions());
    }

    @Test
    void shouldKeepOptions() throws Exception {
        AsyncPair pair = connectAsync();
        for (AsynchronousSocketChannel channel : new AsynchronousSocketChannel[] {pair.client(), pair.server()}) {
            for (SocketOption<Boolean> option : List.of(StandardSocketOptions.TCP_NODELAY,
                    StandardSocketOptions.SO_KEEPALIVE)) {
                assertThat(channel.getOption(option)).isFalse();
                assertThat(channel.setOption(option, true)).isSameAs(channel);
                assertThat(channel.getOption(option)).isTrue();
            }
            assertThat(channel.getOption(StandardSocketOptions.SO_RCVBUF)).isPositive();
        }
    }

    @Test
    void shouldRefuseOptionsThatTheyDoNotHave() throws Exception {
        AsynchronousSocketChannel channel = openAsync();
        assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.SO_LINGER, 0))
                .isExactlyInstanceOf(UnsupportedOperationException.class).hasMessage("'SO_LINGER' not supported");
        assertThatThrownBy(() -> channel.getOption(StandardSocketOptions.IP_TOS))
                .isExactlyInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> openAsyncServer(null).getOption(StandardSocketOptions.TCP_NODELAY))
                .isExactlyInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.SO_RCVBUF, null))
                .isExactlyInstanceOf(IllegalArgumentException.class).hasMessage("Invalid option value");
        assertThatThrownBy(() -> channel.setOption(null, 1)).isExactlyInstanceOf(NullPointerException.class);
        channel.close();
        assertThatThrownBy(() -> channel.getOption(StandardSocketOptions.SO_RCVBUF))
                .isExactlyInstanceOf(ClosedChannelException.class);
    }
}
