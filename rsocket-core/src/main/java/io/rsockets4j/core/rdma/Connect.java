/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.CONNECT_ACCEPTOR;
import static io.rsockets4j.core.rdma.MessageDescriptor.CONNECT_INITIATOR;
import static io.rsockets4j.core.rdma.MessageDescriptor.CONNECT_RING_ADDRESS;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Asks for a further connection of a session.
 *
 * @param number what both sides call it
 * @param ring of the initiator
 * @param initiator the initiator's address, as programs see it
 * @param acceptor the acceptor's address, as programs see it
 */
record Connect(int number, RemoteRing ring, InetSocketAddress initiator, InetSocketAddress acceptor) {
    private static final String NAME = "CONNECT";

    /** Writes this message at an offset of zeros. Returns its length. */
    int encode(ByteBuffer out) {
        out.put(MessageDescriptor.TYPE, MessageDescriptor.CONNECT);
        out.putInt(MessageDescriptor.NUMBER, number);
        ring.encode(out, CONNECT_RING_ADDRESS);
        WireAddress.encode(out, CONNECT_INITIATOR, initiator);
        WireAddress.encode(out, CONNECT_ACCEPTOR, acceptor);
        return MessageDescriptor.CONNECT_BYTES;
    }

    /**
     * Reads the message at the start of a buffer.
     *
     * @throws ProtocolException if something cannot be
     */
    static Connect decode(ByteBuffer in) throws ProtocolException {
        Connect connect = new Connect(in.getInt(MessageDescriptor.NUMBER), RemoteRing.decode(in, CONNECT_RING_ADDRESS),
                WireAddress.decode(in, CONNECT_INITIATOR, NAME), WireAddress.decode(in, CONNECT_ACCEPTOR, NAME));
        connect.ring.check(NAME);
        if (connect.number < 0 || connect.number >= DataImmediate.NUMBERS) {
            throw new ProtocolException(NAME + " with number " + connect.number);
        }
        if (connect.initiator.getPort() == 0 || connect.acceptor.getPort() == 0) {
            throw new ProtocolException(NAME + " without ports");
        }
        return connect;
    }
}
