/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;

/** What is true of this machine, whatever the fabric. */
public final class Machine {
    /** Whether the IPv6 loopback address can be bound. */
    public static final boolean HAS_IPV6 = probeIpv6();

    private Machine() {
    }

    /** @return 127.0.0.1 */
    public static InetAddress loopback4() {
        return address(new byte[] {127, 0, 0, 1});
    }

    /** @return ::1 */
    public static InetAddress loopback6() {
        byte[] raw = new byte[16];
        raw[15] = 1;
        return address(raw);
    }

    /**
     * Finds a port on which nobody listens.
     *
     * @return 127.0.0.1 and a port that was free a moment ago
     * @throws IOException when no port can be bound
     */
    public static InetSocketAddress closedPort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, loopback4())) {
            return new InetSocketAddress(loopback4(), probe.getLocalPort());
        }
    }

    private static InetAddress address(byte[] raw) {
        try {
            return InetAddress.getByAddress(raw);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + raw.length + " bytes", e);
        }
    }

    private static boolean probeIpv6() {
        InetAddress loopback = loopback6();
        if (!(loopback instanceof Inet6Address)) {
            return false;
        }
        try (ServerSocketChannel probe = ServerSocketChannel.open(StandardProtocolFamily.INET6)) {
            probe.bind(new InetSocketAddress(loopback, 0));
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
