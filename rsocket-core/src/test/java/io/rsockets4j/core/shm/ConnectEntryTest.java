/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.host.Words;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectEntryTest {
    private static final int OFFSET = SessionDescriptor.CONNECT_BYTES;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(3 * SessionDescriptor.CONNECT_BYTES).order(ByteOrder.nativeOrder());
    private final Words words = new Words(memory);

    @Test
    void shouldRoundTripIpv4() throws UnknownHostException {
        assertRoundTrip(new ConnectEntry(0, 1, 0, 7, address("7f000001", 40_000), address("0a000001", 80), 8192,
                1 << 28));
    }

    @Test
    void shouldRoundTripIpv6AndExtremes() throws UnknownHostException {
        assertRoundTrip(new ConnectEntry(SessionDescriptor.MAX_SLOTS - 1, Long.MAX_VALUE,
                SessionDescriptor.MAX_LISTENERS - 1, Long.MIN_VALUE, address("0".repeat(31) + "1", 65_535),
                address("20010db8" + "0".repeat(23) + "9", 0), 0, 0));
    }

    @Test
    void shouldRoundTripTheScopeOfIpv6() throws UnknownHostException {
        byte[] linkLocal = HexFormat.of().parseHex("fe80" + "0".repeat(27) + "5");
        InetSocketAddress scoped = new InetSocketAddress(Inet6Address.getByAddress(null, linkLocal, 3), 5000);
        ConnectEntry read = writeAndRead(new ConnectEntry(1, 1, 1, 1, scoped, scoped, 0, 0));
        assertThat(((Inet6Address) read.initiator().getAddress()).getScopeId()).isEqualTo(3);
        assertThat(((Inet6Address) read.acceptor().getAddress()).getScopeId()).isEqualTo(3);
    }

    @Test
    void shouldStayWithinItsEntry() throws UnknownHostException {
        InetSocketAddress longest = address("f".repeat(32), 65_535);
        new ConnectEntry(16_383, -1, 510, -1, longest, longest, -1, -1).write(words, OFFSET);
        for (int i = 0; i < OFFSET; i++) {
            assertThat(memory.get(i)).as("byte %d before", i).isZero();
            assertThat(memory.get(2 * OFFSET + i)).as("byte %d behind", i).isZero();
        }
    }

    @Test
    void shouldTellTheSidesApart() throws UnknownHostException {
        InetSocketAddress initiator = address("7f000001", 1);
        InetSocketAddress acceptor = address("7f000002", 2);
        ConnectEntry entry = new ConnectEntry(0, 0, 0, 0, initiator, acceptor, 0, 0);
        assertThat(entry.local(SessionDescriptor.INITIATOR)).isEqualTo(initiator)
                .isEqualTo(entry.remote(SessionDescriptor.ACCEPTOR));
        assertThat(entry.remote(SessionDescriptor.INITIATOR)).isEqualTo(acceptor)
                .isEqualTo(entry.local(SessionDescriptor.ACCEPTOR));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "16384, 0", "0, -1", "0, 511", "4294967296, 0", "0, 4294967296",
        "9223372036854775807, 0", "-9223372036854775808, 0"})
    void shouldRefuseImpossibleNumbers(long slot, long listener) throws UnknownHostException {
        new ConnectEntry(0, 0, 0, 0, address("7f000001", 1), address("7f000001", 2), 0, 0).write(words, OFFSET);
        memory.putLong(OFFSET, slot).putLong(OFFSET + 16, listener);
        assertThatThrownBy(() -> ConnectEntry.read(words, OFFSET)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("connect to slot=" + slot + " listener=" + listener);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, 5, 15, 17, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefuseImpossibleAddresses(int length) throws UnknownHostException {
        new ConnectEntry(0, 0, 0, 0, address("7f000001", 1), address("7f000001", 2), 0, 0).write(words, OFFSET);
        memory.putInt(OFFSET + 32 + 8, length);
        assertThatThrownBy(() -> ConnectEntry.read(words, OFFSET)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefuseImpossiblePorts(int port) throws UnknownHostException {
        new ConnectEntry(0, 0, 0, 0, address("7f000001", 1), address("7f000001", 2), 0, 0).write(words, OFFSET);
        memory.putInt(OFFSET + 64, port);
        assertThatThrownBy(() -> ConnectEntry.read(words, OFFSET)).isInstanceOf(IllegalArgumentException.class);
    }

    @RepeatedTest(3)
    void shouldThrowNothingButIllegalArgumentsOnGarbage() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            for (int i = 0; i < SessionDescriptor.CONNECT_BYTES; i += 4) { // small numbers get past the first checks
                memory.putInt(OFFSET + i, random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(17));
            }
            refused += refuses(seed) ? 1 : 0;
        }
        assertThat(refused).as("seed %d", seed).isPositive();
    }

    private boolean refuses(long seed) {
        try {
            ConnectEntry.read(words, OFFSET);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private void assertRoundTrip(ConnectEntry entry) {
        assertThat(writeAndRead(entry)).isEqualTo(entry);
    }

    private ConnectEntry writeAndRead(ConnectEntry entry) {
        entry.write(words, OFFSET);
        return ConnectEntry.read(words, OFFSET);
    }

    private static InetSocketAddress address(String hex, int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(HexFormat.of().parseHex(hex)), port);
    }
}
