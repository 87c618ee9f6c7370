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
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is true of this machine, whatever the fabric. Its addresses are those of the loopback interface, unless system
 * properties name others: a fabric may need those of a device.
 */
public final class Machine {
    private static final String ADDRESS = "suite.address";
    private static final String SECOND_ADDRESS = "suite.address.second";
    private static final String ADDRESS6 = "suite.address6";
    private static final String PEER_ADDRESS = "suite.peer.address";

    /** How many times slower than others this machine is, as under emulation: {@code suite.slowness}, by default 1. */
    public static final int SLOWNESS = Integer.getInteger("suite.slowness", 1);

    private static final Set<Capability> CAPABILITIES = probe();

    private Machine() {
    }

    /** @return those capabilities that do not depend on the fabric, as far as they are there */
    public static Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    /** @return where the cases listen: {@code suite.address}, by default 127.0.0.1 */
    public static InetAddress address() {
        return address(ADDRESS, "127.0.0.1");
    }

    /** @return one more IPv4 address of this machine: {@code suite.address.second}, by default 127.0.0.2 */
    public static InetAddress secondAddress() {
        return address(SECOND_ADDRESS, "127.0.0.2");
    }

    /** @return {@code suite.address6}, by default ::1 */
    public static InetAddress address6() {
        return address(ADDRESS6, "::1");
    }

    /** @return where the {@link Peer}s of this process listen: {@code suite.peer.address}, by default here */
    public static InetAddress peerAddress() {
        return address(PEER_ADDRESS, address().getHostAddress());
    }

    /**
     * Says how much of something is enough on this machine.
     *
     * @param much how much is wanted where that takes a moment
     * @param least how much is needed for what it shows
     * @return less where the machine is slower
     */
    public static int lessWhereSlow(int much, int least) {
        return Math.max(least, much / SLOWNESS);
    }

    /** @return the options that tell a {@link Peer} what the addresses are, seen from its side */
    static List<String> peerOptions() {
        return List.of("-D" + ADDRESS + "=" + peerAddress().getHostAddress(),
                "-D" + PEER_ADDRESS + "=" + address().getHostAddress());
    }

    /**
     * Finds a port on which nobody listens.
     *
     * @return {@link #address} and a port that was free a moment ago
     * @throws IOException when no port can be bound
     */
    public static InetSocketAddress closedPort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, address())) {
            return new InetSocketAddress(address(), probe.getLocalPort());
        }
    }

    private static InetAddress address(String property, String preset) {
        String literal = System.getProperty(property, preset);
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(property + "=" + literal + " is no address", e);
        }
    }

    private static Set<Capability> probe() {
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        if (hasIpv6()) {
            capabilities.add(Capability.IPV6);
        }
        if (VirtualThreads.exist()) {
            capabilities.add(Capability.VIRTUAL_THREADS);
        }
        if (Runtime.version().feature() >= 25) {
            capabilities.add(Capability.TODAYS_HELPERS);
        }
        return Collections.unmodifiableSet(capabilities);
    }

    /** Whether {@link #address6} can be bound. */
    private static boolean hasIpv6() {
        InetAddress address = address6();
        if (!(address instanceof Inet6Address)) {
            return false;
        }
        try (ServerSocketChannel probe = ServerSocketChannel.open(StandardProtocolFamily.INET6)) {
            probe.bind(new InetSocketAddress(address, 0));
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
