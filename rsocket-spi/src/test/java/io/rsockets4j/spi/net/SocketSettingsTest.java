/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.BufferSizes;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import sun.nio.ch.NioSocketImpl;

/** That a socket's options live in its TCP socket, and what a link knows of them beside. */
class SocketSettingsTest {
    private static final int BYTES = 48 << 10; // not the default

    private final TcpSocket tcp = new TcpSocket(new NioSocketImpl(false));
    private final SocketSettings settings = new SocketSettings(tcp);

    @BeforeAll
    static void addTheDoor() throws IOException, IllegalAccessException {
        JavaBase.add();
    }

    @BeforeEach
    void create() throws IOException {
        tcp.create(true);
    }

    @AfterEach
    void close() throws IOException {
        tcp.close();
    }

    @Test
    void shouldKnowTheTimeout() throws IOException {
        assertThat(settings.getAsInt()).isZero();
        settings.set(SocketOptions.SO_TIMEOUT, 1500);
        assertThat(settings.getAsInt()).isEqualTo(1500);
        assertThat(tcp.getOption(SocketOptions.SO_TIMEOUT)).isEqualTo(1500);
        assertThat(settings.get(SocketOptions.SO_TIMEOUT)).isEqualTo(1500);
    }

    @Test
    void shouldKnowHowLongItLingersHoweverThatIsSet() throws IOException {
        assertThat(settings.lingerSeconds()).isEqualTo(-1);
        settings.set(StandardSocketOptions.SO_LINGER, 7);
        assertThat(settings.lingerSeconds()).isEqualTo(7);
        settings.set(StandardSocketOptions.SO_LINGER, -1);
        assertThat(settings.lingerSeconds()).isNegative();
        settings.set(SocketOptions.SO_LINGER, 5);
        assertThat(settings.lingerSeconds()).isEqualTo(5);
        assertThat(settings.get(StandardSocketOptions.SO_LINGER)).isEqualTo(5);
        settings.set(SocketOptions.SO_LINGER, false); // as Socket.setSoLinger has it off
        assertThat(settings.lingerSeconds()).isEqualTo(-1);
    }

    @Test
    void shouldKnowWhichBuffersWereSized() throws IOException {
        assertThat(settings.askedBuffers()).isEqualTo(BufferSizes.UNSET);
        assertThat(settings.isLeftToTcp(StandardSocketOptions.SO_SNDBUF)).isTrue();
        assertThat(settings.isLeftToTcp(StandardSocketOptions.SO_RCVBUF)).isTrue();
        assertThat(settings.isLeftToTcp(StandardSocketOptions.TCP_NODELAY)).as("no size").isFalse();
        settings.set(SocketOptions.SO_SNDBUF, BYTES);
        assertThat(settings.isLeftToTcp(StandardSocketOptions.SO_SNDBUF)).isFalse();
        assertThat(settings.isLeftToTcp(StandardSocketOptions.SO_RCVBUF)).isTrue();
        assertThat(settings.askedBuffers()).isEqualTo(new BufferSizes(BYTES, 0));
        settings.set(StandardSocketOptions.SO_RCVBUF, BYTES / 2);
        assertThat(settings.isLeftToTcp(StandardSocketOptions.SO_RCVBUF)).isFalse();
        assertThat(settings.askedBuffers()).isEqualTo(new BufferSizes(BYTES, BYTES / 2));
    }

    @Test
    void shouldNotTakeNoteOfWhatTcpRefuses() throws IOException {
        assertThatThrownBy(() -> settings.set(StandardSocketOptions.SO_SNDBUF, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(settings.isLeftToTcp(StandardSocketOptions.SO_SNDBUF)).isTrue();
        tcp.close();
        assertThatThrownBy(() -> settings.set(SocketOptions.SO_TIMEOUT, 1)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> settings.set(StandardSocketOptions.SO_LINGER, 1)).isInstanceOf(SocketException.class);
        assertThat(settings.getAsInt()).isZero();
        assertThat(settings.lingerSeconds()).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void shouldNameAnOptionByItsNumber(int id, SocketOption<?> name, Object value) throws IOException {
        assertThat(SocketSettings.nameOf(id)).isSameAs(name);
        settings.set(id, value);
        assertThat(settings.get(name)).isEqualTo(value);
    }

    static Stream<Arguments> numbers() {
        return Stream.of(
                Arguments.of(SocketOptions.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY, true),
                Arguments.of(SocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE, true),
                Arguments.of(SocketOptions.SO_LINGER, StandardSocketOptions.SO_LINGER, 3),
                Arguments.of(SocketOptions.SO_SNDBUF, StandardSocketOptions.SO_SNDBUF, BYTES),
                Arguments.of(SocketOptions.SO_RCVBUF, StandardSocketOptions.SO_RCVBUF, BYTES),
                Arguments.of(SocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR, true),
                Arguments.of(SocketOptions.SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT, true),
                Arguments.of(SocketOptions.IP_TOS, StandardSocketOptions.IP_TOS, 16));
    }

    @Test
    void shouldNameNoOptionThatOnlyNumbersHave() {
        assertThat(SocketSettings.nameOf(SocketOptions.SO_OOBINLINE)).isNull();
        assertThat(SocketSettings.nameOf(SocketOptions.SO_TIMEOUT)).isNull();
    }
}
