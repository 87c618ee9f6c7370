/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.BufferSizes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/** Which address a held port gives to a link, and what it says of a socket that is closed. */
class HeldPortTest {
    private final FakeEnd tcp = new FakeEnd();
    private final HeldPort port = new HeldPort(tcp, BufferSizes.UNSET);

    @Test
    void shouldBindToTheSource() throws IOException {
        InetAddress named = InetAddress.getByAddress("a.name", new byte[] {127, 0, 0, 1});
        InetSocketAddress local = port.reserve(named);
        assertThat(local).hasToString("/127.0.0.1:4711"); // as the kernel would tell it
        assertThat(tcp.bound).isEqualTo(new InetSocketAddress(named, 4711));
    }

    @Test
    void shouldKeepWhatTheProgramHasBound() throws IOException {
        tcp.bound = new InetSocketAddress("127.0.0.2", 5);
        assertThat(port.reserve(InetAddress.getLoopbackAddress())).isEqualTo(tcp.bound);
    }

    @Test
    void shouldNameTheSourceWhereTheProgramHasBoundTheWildcard() throws IOException {
        tcp.bound = new InetSocketAddress("0.0.0.0", 5);
        assertThat(port.reserve(InetAddress.getByName("127.0.0.1"))).isEqualTo(new InetSocketAddress("127.0.0.1", 5));
    }

    @Test
    void shouldSayThatTheProgramHasClosedItsSocket() {
        tcp.failure = new SocketException("Socket closed");
        tcp.open = false;
        assertThatThrownBy(() -> port.reserve(InetAddress.getLoopbackAddress()))
                .isExactlyInstanceOf(ClosedChannelException.class).hasCause(tcp.failure);
        tcp.open = true;
        assertThatThrownBy(() -> port.reserve(InetAddress.getLoopbackAddress())).isSameAs(tcp.failure);
    }

    @Test
    void shouldCloseItsSocketWhenReleased() {
        port.release();
        assertThat(port.isOpen()).isFalse();
    }

    private static final class FakeEnd implements TcpEnd {
        private InetSocketAddress bound;
        private SocketException failure;
        private boolean open = true;

        @Override
        public InetSocketAddress bound() throws IOException {
            if (failure != null) {
                throw failure;
            }
            return bound;
        }

        @Override
        public int bind(InetAddress source) {
            bound = new InetSocketAddress(source, 4711);
            return bound.getPort();
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }

        @Override
        public <T> T getOption(SocketOption<T> name) {
            throw new UnsupportedOperationException();
        }
    }
}
