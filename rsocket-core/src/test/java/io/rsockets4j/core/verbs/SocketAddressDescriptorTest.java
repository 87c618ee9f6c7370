/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SocketAddressDescriptorTest {
    private static final byte[] LINK_LOCAL = {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7};

    @Test
    void shouldReadWhatItWrites() throws Exception {
        assertReadAsWritten(InetAddress.getByName("10.7.200.1"), true);
        assertReadAsWritten(InetAddress.getByName("fd07::1"), false);
        assertReadAsWritten(Inet6Address.getByAddress(null, LINK_LOCAL, 3), false);
    }

    private static void assertReadAsWritten(InetAddress host, boolean ipv4) {
        InetSocketAddress address = new InetSocketAddress(host, 65_535);
        ByteBuffer struct = ByteBuffer.allocate(SocketAddressDescriptor.STORAGE_BYTES);
        SocketAddressDescriptor.encode(address, struct);
        assertThat(SocketAddressDescriptor.decode(struct)).isEqualTo(address);
        assertThat(SocketAddressDescriptor.isIpv4(struct)).isEqualTo(ipv4);
    }

    @Test
    void shouldKnowNoAddressBeforeThereIsOne() {
        ByteBuffer struct = ByteBuffer.allocate(SocketAddressDescriptor.STORAGE_BYTES);
        assertThat(SocketAddressDescriptor.decode(struct)).isNull();
        assertThat(SocketAddressDescriptor.isIpv4(struct)).isFalse();
    }
}
