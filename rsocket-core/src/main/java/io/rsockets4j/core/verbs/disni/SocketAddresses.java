/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import io.rsockets4j.core.verbs.VerbsException;
import io.rsockets4j.core.verbs.disni.StructLayouts.SocketAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Between {@link InetSocketAddress} and struct sockaddr_in. */
final class SocketAddresses {
    private static final short AF_INET = 2;
    private static final int BYTE_BITS = 8;
    private static final byte[] ANY = new byte[4];

    private SocketAddresses() { }

    /**
     * Writes an address. The IPv6 wildcard becomes that of IPv4.
     *
     * @param verb for the message
     * @param address resolved
     * @return a struct of its own
     * @throws VerbsException if it is an IPv6 address: DiSNI would take its first four bytes for an IPv4 address
     */
    static ByteBuffer encode(String verb, InetSocketAddress address) throws VerbsException {
        InetAddress host = address.getAddress();
        if (!(host instanceof Inet4Address) && !host.isAnyLocalAddress()) {
            throw new VerbsException(verb, 0, "DiSNI knows no IPv6, so " + address
                    + " cannot be used; use an IPv4 address, or Java 22 or later, which needs no DiSNI");
        }
        byte[] bytes = host instanceof Inet4Address ? host.getAddress() : ANY;
        int port = address.getPort();
        return DirectMemory.structs(SocketAddress.BYTES).putShort(SocketAddress.FAMILY, AF_INET)
                .put(SocketAddress.PORT, (byte) (port >>> BYTE_BITS)).put(SocketAddress.PORT + 1, (byte) port)
                .put(SocketAddress.ADDRESS, bytes);
    }

    /**
     * Reads an address.
     *
     * @param struct as long as a sockaddr_in
     * @return null if it is none of IPv4: not known yet
     */
    static InetSocketAddress decode(ByteBuffer struct) {
        if (struct.getShort(SocketAddress.FAMILY) != AF_INET) {
            return null;
        }
        byte[] bytes = new byte[ANY.length];
        struct.get(SocketAddress.ADDRESS, bytes);
        int port = Byte.toUnsignedInt(struct.get(SocketAddress.PORT)) << BYTE_BITS
                | Byte.toUnsignedInt(struct.get(SocketAddress.PORT + 1));
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // four bytes are always an address
        }
    }
}
