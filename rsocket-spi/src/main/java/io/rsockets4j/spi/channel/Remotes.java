/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;

/** Which addresses a connect may look for on the fabrics; the JDK serves all others. */
final class Remotes {
    private static final InetAddress LOOPBACK_4 = literal(127, 0, 0, 1);
    private static final InetAddress LOOPBACK_6 = literal(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);

    private Remotes() { }

    /**
     * The address to look for.
     *
     * @param remote what the program passed, possibly nonsense
     * @param family the channel's protocol family, or null for any
     * @return a resolved address, loopback for a wildcard; null when only the JDK can tell what is wrong with it
     */
    static InetSocketAddress onFabrics(SocketAddress remote, ProtocolFamily family) {
        if (!(remote instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            return null;
        }
        InetAddress address = inet.getAddress();
        boolean four = address instanceof Inet4Address;
        if (family == StandardProtocolFamily.INET && !four) {
            return null;
        }
        if (!address.isAnyLocalAddress()) {
            return inet;
        }
        return new InetSocketAddress(four ? LOOPBACK_4 : LOOPBACK_6, inet.getPort());
    }

    private static InetAddress literal(int... bytes) {
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            address[i] = (byte) bytes[i];
        }
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only thrown for a wrong length
        }
    }
}
