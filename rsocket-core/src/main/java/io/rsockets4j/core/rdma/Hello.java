/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_ACCEPTOR;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_BYTES;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_CONNECTION;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_FEATURES;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_INITIATOR;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_MAGIC;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_MAX_VERSION;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_MIN_VERSION;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_RECEIVES;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_REFUSAL;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_RING_ADDRESS;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_RING_BYTES;
import static io.rsockets4j.core.rdma.MessageDescriptor.HELLO_RING_KEY;
import static io.rsockets4j.core.rdma.MessageDescriptor.TYPE;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The first message of each side. The initiator speaks first.
 *
 * @param connection a random number that the initiator chooses, and the acceptor repeats
 * @param immediate whether this side's device knows immediate data
 * @param ringAddress of the ring that the peer is to write into
 * @param ringBytes its size, a power of two
 * @param ringKey its key
 * @param receives how many the peer may use
 * @param refusal 0, or why there will be no connection
 * @param initiator the initiator's address, as programs see it
 * @param acceptor the acceptor's address, as programs see it
 */
record Hello(long connection, boolean immediate, long ringAddress, int ringBytes, int ringKey, int receives,
        int refusal, InetSocketAddress initiator, InetSocketAddress acceptor) {
    /** Why there will be no connection: no common version. */
    static final int REFUSED_VERSION = 1;

    /** Why there will be no connection: this side does not understand the other. */
    static final int REFUSED_MALFORMED = 2;

    /** Why there will be no connection: nobody listens any more, or too many wait. */
    static final int REFUSED_LISTENER = 3;

    private static final int MAGIC = 0x5253_4b34;
    private static final int VERSION = 2;
    private static final int MIN_RING_BYTES = 1 << 12;
    private static final int MAX_RING_BYTES = 1 << 28;
    private static final int MIN_RECEIVES = 16;
    private static final int MAX_RECEIVES = DataImmediate.RECEIVES_LIMIT / 2;
    private static final int ADDRESS_BYTES = 16;

    /** Writes this message at the start of a buffer. Returns its length. */
    int encode(ByteBuffer out) {
        out.put(TYPE, HELLO);
        out.put(HELLO_MIN_VERSION, (byte) VERSION);
        out.put(HELLO_MAX_VERSION, (byte) VERSION);
        out.put(HELLO_FEATURES, (byte) (immediate ? 1 : 0));
        out.putInt(HELLO_MAGIC, MAGIC);
        out.putLong(HELLO_CONNECTION, connection);
        out.putLong(HELLO_RING_ADDRESS, ringAddress);
        out.putInt(HELLO_RING_BYTES, ringBytes);
        out.putInt(HELLO_RING_KEY, ringKey);
        out.putInt(HELLO_RECEIVES, receives);
        out.putInt(HELLO_REFUSAL, refusal);
        encode(out, HELLO_INITIATOR, initiator);
        encode(out, HELLO_ACCEPTOR, acceptor);
        return HELLO_BYTES;
    }

    private static void encode(ByteBuffer out, int at, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        out.putShort(at, (short) (address.getAddress() instanceof Inet4Address ? 4 : 6));
        out.putShort(at + 2, (short) address.getPort());
        out.put(at + 4, new byte[ADDRESS_BYTES]);
        out.put(at + 4, bytes);
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
        Hello hello = new Hello(in.getLong(HELLO_CONNECTION), (in.get(HELLO_FEATURES) & 1) != 0,
                in.getLong(HELLO_RING_ADDRESS), in.getInt(HELLO_RING_BYTES), in.getInt(HELLO_RING_KEY),
                in.getInt(HELLO_RECEIVES), in.getInt(HELLO_REFUSAL), address(in, HELLO_INITIATOR),
                address(in, HELLO_ACCEPTOR));
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
        if (ringBytes < MIN_RING_BYTES || ringBytes > MAX_RING_BYTES || Integer.bitCount(ringBytes) != 1) {
            throw new ProtocolException("HELLO with ringBytes=" + ringBytes);
        }
        if (ringAddress == 0 || Long.compareUnsigned(ringAddress + ringBytes, ringAddress) < 0) {
            throw new ProtocolException("HELLO with ringAddress=" + Long.toHexString(ringAddress));
        }
        if (receives < MIN_RECEIVES || receives > MAX_RECEIVES) {
            throw new ProtocolException("HELLO with receives=" + receives);
        }
        if (initiator.getPort() == 0 || acceptor.getPort() == 0) {
            throw new ProtocolException("HELLO without ports");
        }
    }

    private static InetSocketAddress address(ByteBuffer in, int at) throws ProtocolException {
        int family = in.getShort(at);
        if (family != 4 && family != 6) {
            throw new ProtocolException("HELLO with address family " + family);
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
