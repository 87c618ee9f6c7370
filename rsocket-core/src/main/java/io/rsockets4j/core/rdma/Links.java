/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.LINKS;
import static io.rsockets4j.core.rdma.MessageDescriptor.LINKS_ADDRESSES;
import static io.rsockets4j.core.rdma.MessageDescriptor.LINKS_COUNT;
import static io.rsockets4j.core.rdma.MessageDescriptor.LINKS_PORT;
import static io.rsockets4j.core.rdma.MessageDescriptor.LINKS_TOKEN;
import static io.rsockets4j.core.rdma.MessageDescriptor.TYPE;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Where an acceptor takes a second link of a session.
 *
 * @param port that it listens on
 * @param token to be said in JOIN
 * @param addresses its addresses; in place of a port each has a number of the device's port that it is on
 */
record Links(int port, long token, List<InetSocketAddress> addresses) {
    /** How many addresses a message can hold. */
    static final int MAX_ADDRESSES = 5;

    private static final int ADDRESS_BYTES = 20;

    /** Writes this message at the start of a buffer of zeros. Returns its length. */
    int encode(ByteBuffer out) {
        out.put(TYPE, LINKS);
        out.put(LINKS_COUNT, (byte) addresses.size());
        out.putShort(LINKS_PORT, (short) port);
        out.putInt(LINKS_PORT + Short.BYTES, 0);
        out.putLong(LINKS_TOKEN, token);
        for (int i = 0; i < addresses.size(); i++) {
            WireAddress.encode(out, LINKS_ADDRESSES + i * ADDRESS_BYTES, addresses.get(i));
        }
        return LINKS_ADDRESSES + addresses.size() * ADDRESS_BYTES;
    }

    /**
     * Reads the message at the start of a buffer.
     *
     * @throws ProtocolException if something cannot be
     */
    static Links decode(ByteBuffer in, int length) throws ProtocolException {
        int count = length < LINKS_ADDRESSES ? 0 : in.get(LINKS_COUNT);
        if (count < 1 || count > MAX_ADDRESSES || length != LINKS_ADDRESSES + count * ADDRESS_BYTES) {
            throw new ProtocolException("LINKS of " + length + " bytes with " + count + " addresses");
        }
        List<InetSocketAddress> addresses = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            addresses.add(WireAddress.decode(in, LINKS_ADDRESSES + i * ADDRESS_BYTES, "LINKS"));
        }
        int port = in.getShort(LINKS_PORT) & 0xffff;
        if (port == 0) {
            throw new ProtocolException("LINKS without a port");
        }
        return new Links(port, in.getLong(LINKS_TOKEN), addresses);
    }
}
