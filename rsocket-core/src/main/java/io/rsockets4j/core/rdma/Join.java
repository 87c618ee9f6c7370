/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.HAS_IMMEDIATE;
import static io.rsockets4j.core.rdma.MessageDescriptor.JOIN;
import static io.rsockets4j.core.rdma.MessageDescriptor.JOIN_BYTES;
import static io.rsockets4j.core.rdma.MessageDescriptor.JOIN_FEATURES;
import static io.rsockets4j.core.rdma.MessageDescriptor.JOIN_RECEIVES;
import static io.rsockets4j.core.rdma.MessageDescriptor.JOIN_REFUSAL;
import static io.rsockets4j.core.rdma.MessageDescriptor.JOIN_SESSION;
import static io.rsockets4j.core.rdma.MessageDescriptor.JOIN_TOKEN;
import static io.rsockets4j.core.rdma.MessageDescriptor.TYPE;

import java.nio.ByteBuffer;

/**
 * The first message of each side of a second link. The initiator speaks first.
 *
 * @param refused whether the acceptor has no such session, or has no use for the link
 * @param immediate whether this side's device knows immediate data
 * @param receives how many the peer may use, the one for this message included
 * @param session the session's number, as HELLO says it
 * @param token as LINKS says it
 */
record Join(boolean refused, boolean immediate, int receives, long session, long token) {
    /** Writes this message at the start of a buffer. Returns its length. */
    int encode(ByteBuffer out) {
        out.putInt(TYPE, 0);
        out.put(TYPE, JOIN);
        out.put(JOIN_REFUSAL, (byte) (refused ? 1 : 0));
        out.put(JOIN_FEATURES, (byte) (immediate ? HAS_IMMEDIATE : 0));
        out.putInt(JOIN_RECEIVES, receives);
        out.putLong(JOIN_SESSION, session);
        out.putLong(JOIN_TOKEN, token);
        return JOIN_BYTES;
    }

    /**
     * Reads the message at the start of a buffer.
     *
     * @throws ProtocolException if it is none
     */
    static Join decode(ByteBuffer in, int length) throws ProtocolException {
        if (length < JOIN_BYTES || in.get(TYPE) != JOIN) {
            throw new ProtocolException("the first message of a second link, of " + length + " bytes, is not a JOIN");
        }
        Join join = new Join(in.get(JOIN_REFUSAL) != 0, (in.get(JOIN_FEATURES) & HAS_IMMEDIATE) != 0,
                in.getInt(JOIN_RECEIVES), in.getLong(JOIN_SESSION), in.getLong(JOIN_TOKEN));
        if (!join.refused && (join.receives < Hello.MIN_RECEIVES || join.receives > Hello.MAX_RECEIVES)) {
            throw new ProtocolException("JOIN with receives=" + join.receives);
        }
        return join;
    }
}
