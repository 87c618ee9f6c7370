/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Socket addresses in messages: family (2 bytes, 4 or 6), port (2), address (16, IPv4 first and zeros behind). */
final class WireAddress {
    private static final int ADDRESS_BYTES = 16;

    private WireAddress() { }

    static void encode(ByteBuffer out, int at, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        out.putShort(at, (short) (address.getAddress() instanceof Inet4Address ? 4 : 6));
        out.putShort(at + 2, (short) address.getPort());
        out.put(at + 4, new byte[ADDRESS_BYTES]);
        out.put(at + 4, bytes);
    }

    /**
     * Reads an address.
     *
     * @param what the message that it is in
     * @throws ProtocolException if it is none
     */
    static InetSocketAddress decode(ByteBuffer in, int at, String what) throws ProtocolException {
        int family = in.getShort(at);
        if (family != 4 && family != 6) {
            throw new ProtocolException(what + " with address family " + family);
        }
        byte[] bytes = new byte[family == 4 ? 4 : ADDRESS_BYTES];
        in.get(at + 4, bytes);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), in.getShort(at + 2) & 0xffff);
        } catch (UnknownHostException e) {
            throw new AssertionError("addresses of 4 and 16 bytes are known", e);
        }
    }
}
