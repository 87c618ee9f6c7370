/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.HAS_IMMEDIATE;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_ACCEPTOR;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_BYTES;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_FEATURES;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_INITIATOR;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_MAGIC;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_MAX_VERSION;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_MIN_VERSION;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_RECEIVES;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_REFUSAL;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_RING_ADDRESS;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_SESSION;
import static io.rsockets4j.core.rdma.MessageDescriptor.KNOWS_LINKS;
import static io.rsockets4j.core.rdma.MessageDescriptor.MOVES_RINGS;
import static io.rsockets4j.core.rdma.MessageDescriptor.TAKES_ADVERTS;
import static io.rsockets4j.core.rdma.MessageDescriptor.TYPE;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The first message of each side of a session, with its first connection, number 0. The initiator speaks first.
 *
 * @param session a random number that the initiator chooses, and the acceptor repeats
 * @param immediate whether this side's device knows immediate data
 * @param adverts whether this side understands adverts
 * @param movesRings whether this side understands what is said of larger rings
 * @param links whether this side may have a second link
 * @param ring of the first connection
 * @param receives how many the peer may use
 * @param refusal 0, or why there will be no connection
 * @param initiator the initiator's address, as programs see it
 * @param acceptor the acceptor's address, as programs see it
 */
record Hello(long session, boolean immediate, boolean adverts, boolean movesRings, boolean links, RemoteRing ring,
        int receives, int refusal, InetSocketAddress initiator, InetSocketAddress acceptor) {
    /** Why there will be no connection: no common version. */
    static final int REFUSED_VERSION = 1;

    /** Why there will be no connection: nobody listens any more, or too many wait. */
    static final int REFUSED_LISTENER = 3;

    /** Why there will be no connection: the listener has no room; the connect is to wait. */
    static final int REFUSED_FULL = 4;

    /** Why there will be no connection: the acceptor has no memory for it. */
    static final int REFUSED_MEMORY = 5;

    private static final int MAGIC = 0x5253_4b34;
    private static final int VERSION = 3;
    /** The fewest receives that a side posts. */
    static final int MIN_RECEIVES = 16;

    /** The most receives that a side posts. */
    static final int MAX_RECEIVES = DataImmediate.RECEIVES_LIMIT / 2;

    /** Writes this message at the start of a buffer. Returns its length. */
    int encode(ByteBuffer out) {
        out.put(TYPE, HELLO);
        out.put(HELLO_MIN_VERSION, (byte) VERSION);
        out.put(HELLO_MAX_VERSION, (byte) VERSION);
        out.put(HELLO_FEATURES, (byte) ((immediate ? HAS_IMMEDIATE : 0) | (adverts ? TAKES_ADVERTS : 0)
                | (movesRings ? MOVES_RINGS : 0)
                | (links ? KNOWS_LINKS : 0)));
        out.putInt(HELLO_MAGIC, MAGIC);
        out.putLong(HELLO_SESSION, session);
        ring.encode(out, HELLO_RING_ADDRESS);
        out.putInt(HELLO_RECEIVES, receives);
        out.putInt(HELLO_REFUSAL, refusal);
        WireAddress.encode(out, HELLO_INITIATOR, initiator);
        WireAddress.encode(out, HELLO_ACCEPTOR, acceptor);
        return HELLO_BYTES;
    }

    /**
     * Reads the message at the start of a buffer.
     *
     * @throws IOException if it is not one of ours; what cannot be is named
     */
    static Hello decode(ByteBuffer in, int length) throws IOException {
        if (length < HELLO_BYTES || in.get(TYPE) != HELLO || in.getInt(HELLO_MAGIC) != MAGIC) {
            throw new ProtocolException("the first message, of " + length + " bytes, is not a HELLO");
        }
        int features = in.get(HELLO_FEATURES);
        Hello hello = new Hello(in.getLong(HELLO_SESSION), (features & HAS_IMMEDIATE) != 0,
                (features & TAKES_ADVERTS) != 0, (features & MOVES_RINGS) != 0, (features & KNOWS_LINKS) != 0,
                RemoteRing.decode(in, HELLO_RING_ADDRESS), in.getInt(HELLO_RECEIVES), in.getInt(HELLO_REFUSAL),
                WireAddress.decode(in, HELLO_INITIATOR, "HELLO"), WireAddress.decode(in, HELLO_ACCEPTOR, "HELLO"));
        if (hello.refusal == 0) {
            hello.check(in.get(HELLO_MIN_VERSION), in.get(HELLO_MAX_VERSION));
        }
        return hello;
    }

    private void check(int minVersion, int maxVersion) throws IOException {
        if (minVersion > VERSION || maxVersion < VERSION) {
            throw new PathException(Reason.VERSION, "HELLO speaks versions " + minVersion + " to " + maxVersion
                    + ", this is version " + VERSION + ": use the same rsockets4j on both sides");
        }
        ring.check("HELLO");
        if (receives < MIN_RECEIVES || receives > MAX_RECEIVES) {
            throw new ProtocolException("HELLO with receives=" + receives);
        }
        if (initiator.getPort() == 0 || acceptor.getPort() == 0) {
            throw new ProtocolException("HELLO without ports");
        }
    }
}
