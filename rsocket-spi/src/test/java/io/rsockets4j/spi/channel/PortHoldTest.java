/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PortHoldTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int MANY = 200;

    @Test
    void shouldHoldThePortOfAListenerThatTakesItThen() throws IOException {
        InetSocketAddress free = freeAddress();
        try (ServerSocketChannel listener = open()) {
            try (PortHold hold = PortHold.take(listener, null, free)) {
                assertThat(hold.address()).isEqualTo(free);
                listener.bind(free);
                assertThat(listener.getLocalAddress()).isEqualTo(free);
            }
            try (SocketChannel client = JdkProvider.get().openSocketChannel()) {
                assertThat(client.connect(free)).as("a client of the listener, which has kept the port").isTrue();
            }
        }
    }

    @Test
    void shouldKnowTheAddressThatTheListenerWillHave() throws IOException {
        InetSocketAddress any = new InetSocketAddress(freeAddress().getPort());
        try (ServerSocketChannel listener = open(); PortHold hold = PortHold.take(listener, null, any)) {
            listener.bind(any);
            assertThat(hold.address()).isEqualTo(listener.getLocalAddress());
        }
    }

    @Test
    void shouldNotHoldAPortThatSomebodyListensOn() throws IOException {
        try (ServerSocketChannel other = open().bind(new InetSocketAddress(LOOPBACK, 0));
                ServerSocketChannel listener = open()) {
            assertThat(PortHold.take(listener, null, other.getLocalAddress())).isNull();
        }
    }

    @Test
    void shouldLetGoOfThePort() throws IOException {
        InetSocketAddress free = freeAddress();
        try (ServerSocketChannel listener = open(); ServerSocketChannel other = open()) {
            PortHold.take(listener, null, free).close();
            other.setOption(StandardSocketOptions.SO_REUSEADDR, false);
            other.bind(free); // which fails beside another socket
            assertThat(other.getLocalAddress()).isEqualTo(free);
        }
    }

    @Test
    void shouldKeepNoDescriptorOfAPortThatItCannotHold() throws IOException {
        try (ServerSocketChannel other = open().bind(new InetSocketAddress(LOOPBACK, 0));
                ServerSocketChannel listener = open()) {
            int before = descriptors();
            for (int i = 0; i < 2 * MANY; i++) {
                assertThat(PortHold.take(listener, null, other.getLocalAddress())).isNull();
            }
            assertThat(descriptors()).isLessThan(before + MANY); // others of this process may come and go
        }
    }

    @Test
    void shouldLeaveToTheListenerWhatItCannotHold() throws IOException {
        InetSocketAddress free = freeAddress();
        try (ServerSocketChannel listener = open()) {
            assertThat(PortHold.take(listener, null, null)).isNull();
            assertThat(PortHold.take(listener, null, new InetSocketAddress(LOOPBACK, 0))).isNull();
            assertThat(PortHold.take(listener, null, InetSocketAddress.createUnresolved("nobody", 1))).isNull();
            assertThat(PortHold.take(listener, StandardProtocolFamily.INET, new InetSocketAddress("::1", 1))).isNull();
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, false);
            assertThat(PortHold.take(listener, null, free)).as("it could not bind beside another").isNull();
        }
        ServerSocketChannel closed = open();
        closed.close();
        assertThat(PortHold.take(closed, null, free)).isNull();
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }

    private static ServerSocketChannel open() throws IOException {
        return JdkProvider.get().openServerSocketChannel();
    }

    private static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocketChannel any = open().bind(new InetSocketAddress(LOOPBACK, 0))) {
            return (InetSocketAddress) any.getLocalAddress();
        }
    }
}
