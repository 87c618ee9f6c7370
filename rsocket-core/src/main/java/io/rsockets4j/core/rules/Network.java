/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.net.InetAddress;
import java.util.Arrays;

/** The addresses that begin with the same bits; a single address is a network of all its bits. Immutable. */
final class Network implements HostPattern {
    private final byte[] prefix;
    private final int bits;
    private final boolean wildcard; // 0.0.0.0 and :: alike mean every address of the host, where a server binds

    /**
     * Makes a network.
     *
     * @param address whose bits count
     * @param bits how many, from the front
     */
    Network(InetAddress address, int bits) {
        this.prefix = address.getAddress();
        this.bits = bits;
        this.wildcard = address.isAnyLocalAddress() && bits == prefix.length * Byte.SIZE;
    }

    /** Whether all bits behind the prefix are 0, as they should be in a rule. */
    boolean hasNoBitsBehind() {
        return Arrays.equals(masked(), prefix);
    }

    /** The prefix with zeros behind it. */
    byte[] masked() {
        byte[] result = new byte[prefix.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = (byte) (prefix[i] & mask(i));
        }
        return result;
    }

    private int mask(int index) {
        int left = Math.max(0, Math.min(Byte.SIZE, bits - index * Byte.SIZE));
        return 0xff << Byte.SIZE - left & 0xff;
    }

    @Override
    public boolean matches(InetAddress address) {
        return wildcard ? address.isAnyLocalAddress() : beginsAlike(address.getAddress());
    }

    private boolean beginsAlike(byte[] address) {
        if (address.length != prefix.length) {
            return false;
        }
        for (int i = 0; i * Byte.SIZE < bits; i++) {
            if (((address[i] ^ prefix[i]) & mask(i)) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean covers(HostPattern other) {
        return other instanceof Network network && wildcard == network.wildcard && bits <= network.bits
                && beginsAlike(network.prefix);
    }
}
