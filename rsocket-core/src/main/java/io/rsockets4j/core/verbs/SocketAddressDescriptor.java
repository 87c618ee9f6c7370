/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Socket addresses as C has them on Linux (sockaddr_in, sockaddr_in6):
 * <pre>
 *   0        2        4               8                             24            28
 *   +--------+--------+---------------+-----------------------------+-------------+
 *   | family | port   | IPv4 address  |                                             AF_INET
 *   | family | port   | flow label    | IPv6 address                | scope       | AF_INET6
 *   +--------+--------+---------------+-----------------------------+-------------+
 * </pre>
 * Family and scope are in the machine's byte order, port and address in the network's. Stateless; thread-safe.
 */
public final class SocketAddressDescriptor {
    /** The size of struct sockaddr_in. */
    public static final int IPV4_STRUCT_BYTES = 16;

    /** The size of struct sockaddr_storage: any address fits. */
    public static final int STORAGE_BYTES = 128;

    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final int FAMILY = 0;
    private static final int PORT = 2;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 8;
    private static final int IPV6_SCOPE = 24;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private SocketAddressDescriptor() { }

    /**
     * Writes an address.
     *
     * @param address resolved
     * @param target zeroed; from its start {@link #STORAGE_BYTES}, or for an IPv4 address {@link #IPV4_STRUCT_BYTES}
     */
    public static void encode(InetSocketAddress address, ByteBuffer target) {
        ByteBuffer network = target.duplicate().order(ByteOrder.BIG_ENDIAN);
        ByteBuffer machine = target.duplicate().order(ByteOrder.nativeOrder());
        InetAddress host = address.getAddress();
        boolean isIpv6 = host instanceof Inet6Address;
        machine.putShort(FAMILY, isIpv6 ? AF_INET6 : AF_INET);
        network.putShort(PORT, (short) address.getPort());
        network.put(isIpv6 ? IPV6_ADDRESS : IPV4_ADDRESS, host.getAddress());
        if (isIpv6) {
            machine.putInt(IPV6_SCOPE, ((Inet6Address) host).getScopeId());
        }
    }

    /**
     * Whether an address is one of IPv4.
     *
     * @param source {@link #IPV4_STRUCT_BYTES} from its start
     * @return false too when there is none
     */
    public static boolean isIpv4(ByteBuffer source) {
        return source.duplicate().order(ByteOrder.nativeOrder()).getShort(FAMILY) == AF_INET;
    }

    /**
     * Reads an address.
     *
     * @param source {@link #STORAGE_BYTES} from its start; {@link #IPV4_STRUCT_BYTES} do where {@link #isIpv4} says so
     * @return null when there is none, or of another family
     */
    public static InetSocketAddress decode(ByteBuffer source) {
        ByteBuffer network = source.duplicate().order(ByteOrder.BIG_ENDIAN);
        ByteBuffer machine = source.duplicate().order(ByteOrder.nativeOrder());
        int port = Short.toUnsignedInt(network.getShort(PORT));
        try {
            return switch (machine.getShort(FAMILY)) {
                case AF_INET -> {
                    byte[] bytes = new byte[IPV4_BYTES];
                    network.get(IPV4_ADDRESS, bytes);
                    yield new InetSocketAddress(Inet4Address.getByAddress(bytes), port);
                }
                case AF_INET6 -> {
                    byte[] bytes = new byte[IPV6_BYTES];
                    network.get(IPV6_ADDRESS, bytes);
                    yield new InetSocketAddress(ipv6(bytes, machine.getInt(IPV6_SCOPE)), port);
                }
                default -> null;
            };
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only for wrong lengths
        }
    }

    private static InetAddress ipv6(byte[] bytes, int scope) throws UnknownHostException {
        return scope == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
    }
}
