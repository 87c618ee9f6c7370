/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import sun.nio.ch.NioSocketImpl;

/** That an accepted link, which has no TCP socket, answers for its options as one would. */
class AcceptedSettingsTest {
    private static final int BYTES = 48 << 10; // not the default

    private final TcpSocket listening = new TcpSocket(new NioSocketImpl(true));
    private final ListenerSettings listener = new ListenerSettings(listening);
    private final TcpSocket tcp = new TcpSocket(new NioSocketImpl(false)); // never created

    @BeforeAll
    static void addTheDoor() throws IOException, IllegalAccessException {
        JavaBase.add();
    }

    @BeforeEach
    void create() throws IOException {
        listening.create(true);
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    private AcceptedSettings accept() {
        return new AcceptedSettings(tcp, listener);
    }

    @Test
    void shouldInheritWhatItsListenerHasWhenItIsAccepted() throws IOException {
        listener.set(SocketOptions.SO_RCVBUF, BYTES);
        AcceptedSettings settings = accept();
        listener.set(SocketOptions.SO_RCVBUF, 2 * BYTES);
        assertThat(settings.get(SocketOptions.SO_RCVBUF)).isEqualTo(BYTES);
        assertThat(settings.get(StandardSocketOptions.SO_RCVBUF)).isEqualTo(BYTES);
        assertThat(settings.get(SocketOptions.SO_REUSEADDR)).as("as every listener").isEqualTo(true);
        assertThat(settings.get(SocketOptions.TCP_NODELAY)).as("as any socket").isEqualTo(false);
    }

    @Test
    void shouldNotInheritTheTimeout() throws IOException {
        listener.set(SocketOptions.SO_TIMEOUT, 1500);
        AcceptedSettings settings = accept();
        assertThat(settings.get(SocketOptions.SO_TIMEOUT)).isEqualTo(0);
        settings.set(SocketOptions.SO_TIMEOUT, 300);
        assertThat(settings.getAsInt()).isEqualTo(300);
        assertThat(settings.get(SocketOptions.SO_TIMEOUT)).isEqualTo(300);
    }

    @Test
    void shouldKeepWhatIsSetByNumberAndByName() throws IOException {
        AcceptedSettings settings = accept();
        settings.set(SocketOptions.TCP_NODELAY, true);
        assertThat(settings.get(StandardSocketOptions.TCP_NODELAY)).isTrue();
        settings.set(StandardSocketOptions.SO_KEEPALIVE, true);
        assertThat(settings.get(SocketOptions.SO_KEEPALIVE)).isEqualTo(true);
        settings.set(StandardSocketOptions.SO_SNDBUF, BYTES);
        assertThat(settings.get(SocketOptions.SO_SNDBUF)).isEqualTo(BYTES);
    }

    @Test
    void shouldLingerAsLongAsWasSet() throws IOException {
        AcceptedSettings settings = accept();
        settings.set(SocketOptions.SO_LINGER, 5);
        assertThat(settings.lingerSeconds()).isEqualTo(5);
        assertThat(settings.get(SocketOptions.SO_LINGER)).isEqualTo(5);
        settings.set(SocketOptions.SO_LINGER, false); // as Socket.setSoLinger has it off
        assertThat(settings.lingerSeconds()).isEqualTo(-1);
        assertThat(settings.get(SocketOptions.SO_LINGER)).isEqualTo(-1);
        settings.set(StandardSocketOptions.SO_LINGER, 7);
        assertThat(settings.lingerSeconds()).isEqualTo(7);
    }

    @Test
    void shouldKnowTheOptionThatNoPublicConstantNames() throws IOException {
        AcceptedSettings settings = accept();
        assertThat(settings.get(SocketOptions.SO_OOBINLINE)).isEqualTo(false);
        settings.set(SocketOptions.SO_OOBINLINE, true);
        assertThat(settings.get(SocketOptions.SO_OOBINLINE)).isEqualTo(true);
    }

    @Test
    void shouldRefuseWhatTcpRefuses() {
        AcceptedSettings settings = accept();
        assertThatThrownBy(() -> settings.get(4711)).isExactlyInstanceOf(SocketException.class)
                .hasMessage("Unknown option 4711");
        assertThatThrownBy(() -> settings.set(4711, 1)).isExactlyInstanceOf(SocketException.class);
        assertThatThrownBy(() -> settings.set(StandardSocketOptions.IP_MULTICAST_TTL, 1))
                .isExactlyInstanceOf(UnsupportedOperationException.class).hasMessageContaining("IP_MULTICAST_TTL");
        assertThatThrownBy(() -> settings.get(StandardSocketOptions.IP_MULTICAST_TTL))
                .isExactlyInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> settings.set(untyped(StandardSocketOptions.SO_LINGER), "long"))
                .isExactlyInstanceOf(IllegalArgumentException.class).hasMessage("Invalid value 'long'");
        assertThat(settings.lingerSeconds()).isEqualTo(-1);
    }

    @SuppressWarnings("unchecked") // what a program does that has no types
    private static SocketOption<Object> untyped(SocketOption<?> name) {
        return (SocketOption<Object>) name;
    }

    @Test
    void shouldLeaveNothingToTcp() {
        assertThat(accept().isLeftToTcp(StandardSocketOptions.SO_SNDBUF)).isFalse();
        assertThat(accept().isLeftToTcp(StandardSocketOptions.SO_RCVBUF)).isFalse();
    }
}
