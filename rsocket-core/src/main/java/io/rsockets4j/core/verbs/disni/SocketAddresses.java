/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import io.rsockets4j.core.verbs.SocketAddressDescriptor;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The addresses that DiSNI knows, those of IPv4, between {@link InetSocketAddress} and struct sockaddr_in. */
final class SocketAddresses {
    private static final byte[] ANY = new byte[4];

    private SocketAddresses() { }

    /**
     * Writes an address. The IPv6 wildcard becomes that of IPv4.
     *
     * @param verb for the message
     * @param address resolved
     * @return a struct of its own
     * @throws IOException if it is an IPv6 address: DiSNI would take its first four bytes for an IPv4 address
     */
    static ByteBuffer encode(String verb, InetSocketAddress address) throws IOException {
        InetAddress host = address.getAddress();
        boolean ipv4 = host instanceof Inet4Address;
        if (!ipv4 && !host.isAnyLocalAddress()) {
            throw new VerbsException(verb, 0, "DiSNI knows no IPv6, so " + address
                    + " cannot be used; use an IPv4 address, or Java 22 or later, which needs no DiSNI");
        }
        ByteBuffer struct = DirectMemory.structs(SocketAddressDescriptor.IPV4_STRUCT_BYTES);
        SocketAddressDescriptor.encode(
                ipv4 ? address : new InetSocketAddress(InetAddress.getByAddress(ANY), address.getPort()), struct);
        return struct;
    }

    /**
     * Reads an address, of which DiSNI copies no more than a sockaddr_in.
     *
     * @param struct as long as a sockaddr_in
     * @return null if it is none of IPv4: not known yet
     */
    static InetSocketAddress decode(ByteBuffer struct) {
        return SocketAddressDescriptor.isIpv4(struct) ? SocketAddressDescriptor.decode(struct) : null;
    }
}
