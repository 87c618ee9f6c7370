/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.reason.PathException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelloTest {
    private static final int LENGTH = MessageDescriptor.HELLO_BYTES;

    private final ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.MESSAGE_BYTES);

    private static Hello hello(String initiator, String acceptor) {
        return new Hello(-7, true, true, true, true, new RemoteRing(0x7f00_1234_5000L, 1 << 18, 0xcafe_babe), 128, 0,
                new InetSocketAddress(initiator, 40_000), new InetSocketAddress(acceptor, 65_535));
    }

    @ParameterizedTest
    @CsvSource({"10.7.7.1, 10.7.7.2", "fd07::1, fd07::2", "0.0.0.0, ::"})
    void shouldReadWhatItWrote(String initiator, String acceptor) throws IOException {
        Hello hello = hello(initiator, acceptor);
        assertThat(hello.encode(message)).isEqualTo(LENGTH);
        assertThat(Hello.decode(message, LENGTH)).isEqualTo(hello);
    }

    @Test
    void shouldCarryRefusalsOfNothing() throws IOException {
        InetSocketAddress address = new InetSocketAddress("10.7.7.1", 1);
        Hello refusal = new Hello(0, false, false, false, false, RemoteRing.NONE, 128, Hello.REFUSED_LISTENER, address,
                address);
        refusal.encode(message);
        assertThat(Hello.decode(message, LENGTH).refusal()).isEqualTo(Hello.REFUSED_LISTENER);
    }

    @ParameterizedTest
    @CsvSource({"0, 2, is not a HELLO", "4, 1, is not a HELLO", "40, 9, address family 2308",
        "61, 0, address family 0"})
    void shouldRefuseWhatIsNotAHello(int offset, byte value, String problem) {
        hello("10.7.7.1", "10.7.7.2").encode(message);
        message.put(offset, value);
        assertThatThrownBy(() -> Hello.decode(message, LENGTH)).isInstanceOf(ProtocolException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, LENGTH - 1})
    void shouldRefuseAShortHello(int length) {
        hello("10.7.7.1", "10.7.7.2").encode(message);
        assertThatThrownBy(() -> Hello.decode(message, length)).isInstanceOf(ProtocolException.class)
                .hasMessage("the first message, of " + length + " bytes, is not a HELLO");
    }

    @ParameterizedTest
    @CsvSource({"4, 5", "1, 2", "-1, -1"})
    void shouldNameVersionsThatItDoesNotSpeak(byte min, byte max) {
        hello("10.7.7.1", "10.7.7.2").encode(message);
        message.put(MessageDescriptor.HELLO_MIN_VERSION, min).put(MessageDescriptor.HELLO_MAX_VERSION, max);
        assertThatThrownBy(() -> Hello.decode(message, LENGTH)).isInstanceOf(PathException.class)
                .hasMessageStartingWith("HELLO speaks versions " + min + " to " + max + ", this is version 3");
    }

    @ParameterizedTest
    @CsvSource({"24, 0, ringBytes=0", "24, -2147483648, ringBytes", "24, 2048, ringBytes=2048",
        "24, 4097, ringBytes=4097", "24, 536870912, ringBytes", "32, 15, receives=15", "32, -1, receives=-1",
        "32, 2049, receives=2049"})
    void shouldRefuseSizesThatCannotBe(int offset, int value, String problem) {
        hello("10.7.7.1", "10.7.7.2").encode(message);
        message.putInt(offset, value);
        assertThatThrownBy(() -> Hello.decode(message, LENGTH)).isInstanceOf(ProtocolException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, -(1 << 18) + 1})
    void shouldRefuseARingThatEndsNowhere(long address) {
        hello("10.7.7.1", "10.7.7.2").encode(message);
        message.putLong(MessageDescriptor.HELLO_RING_ADDRESS, address);
        assertThatThrownBy(() -> Hello.decode(message, LENGTH)).isInstanceOf(ProtocolException.class)
                .hasMessageContaining("ringAddress=");
    }

    @Test
    void shouldNeverFailOtherwiseWhateverComes() {
        Random random = new Random(4);
        byte[] bytes = new byte[MessageDescriptor.MESSAGE_BYTES];
        for (int i = 0; i < 100_000; i++) {
            random.nextBytes(bytes);
            hello("10.7.7.1", "10.7.7.2").encode(message);
            message.put(random.nextInt(LENGTH), bytes, 0, 1 + random.nextInt(8));
            try {
                assertThat(Hello.decode(message, LENGTH)).isNotNull();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("HELLO");
            }
        }
    }
}
