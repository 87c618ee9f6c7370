/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.host.EphemeralPorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions take ports that the kernel gives to no listener. */
class SessionPortsTest {
    private static final int LAST = 60_999;

    @ParameterizedTest
    @ValueSource(strings = {"198.51.100.7", "2001:db8::7"})
    void shouldChooseAboveTheKernelsRange(String destination) throws Exception {
        InetAddress address = InetAddress.getByName(destination);
        for (int i = 0; i < 10_000; i++) {
            InetSocketAddress source = new SessionPorts(new EphemeralPorts(32_768, LAST)).next(address);
            assertThat(source.getPort()).isBetween(LAST + 1, 0xffff);
            assertThat(source.getAddress()).isInstanceOf(address.getClass()).matches(InetAddress::isAnyLocalAddress);
        }
    }

    @Test
    void shouldLeaveTheChoiceToTheKernelWhereItsRangeLeavesNothing() throws Exception {
        InetAddress destination = InetAddress.getByName("198.51.100.7");
        assertThat(new SessionPorts(new EphemeralPorts(1024, 0xffff)).next(destination)).isNull();
        assertThat(new SessionPorts(null).next(destination)).isNull();
    }

    @Test
    void shouldLeaveTheChoiceToTheKernelWhereAScopeDecides() throws Exception {
        assertThat(new SessionPorts(new EphemeralPorts(32_768, LAST)).next(InetAddress.getByName("fe80::7"))).isNull();
    }
}
