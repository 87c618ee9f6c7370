/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SocketAddressesTest {
    @Test
    void shouldWriteFamilyPortAndAddress() throws Exception {
        ByteBuffer struct = SocketAddresses.encode("verb", new InetSocketAddress("10.7.200.1", 0xB0C1));
        assertThat(struct.getShort(0)).as("AF_INET").isEqualTo((short) 2);
        byte[] rest = new byte[6];
        struct.get(2, rest);
        assertThat(rest).containsExactly(0xB0, 0xC1, 10, 7, 200, 1);
        assertThat(struct.capacity()).isEqualTo(16);
    }

    @Test
    void shouldReadWhatItWrites() throws Exception {
        InetSocketAddress address = new InetSocketAddress("192.168.255.254", 65_535);
        assertThat(SocketAddresses.decode(SocketAddresses.encode("verb", address))).isEqualTo(address);
    }

    @Test
    void shouldListenOnIpv4WhereAWildcardMeansBoth() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName("::"), 80);
        assertThat(SocketAddresses.decode(SocketAddresses.encode("verb", any)))
                .isEqualTo(new InetSocketAddress("0.0.0.0", 80));
    }

    @Test
    void shouldRefuseIpv6() {
        InetSocketAddress address = new InetSocketAddress("fd07::1", 80);
        assertThatThrownBy(() -> SocketAddresses.encode("rdma_bind_addr", address)).isInstanceOf(VerbsException.class)
                .hasMessageContaining("rdma_bind_addr: DiSNI knows no IPv6").hasMessageContaining("fd07:0:0:0:0:0:0:1");
    }

    @Test
    void shouldKnowNoAddressBeforeThereIsOne() {
        assertThat(SocketAddresses.decode(DirectMemory.structs(16))).isNull();
    }
}
