/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.nio.ByteBuffer;

/**
 * What a side tells of a connection when a session goes on over another link.
 *
 * @param number of the connection
 * @param asked whether the sender still waits for its connect to be answered: nothing has arrived then
 * @param closed whether the peer's last STATE has arrived: nothing more is to come of this connection
 * @param moved whether bytes come into the sender's larger ring
 * @param read bytes that the sender's program has read
 * @param arrived bytes that have arrived; those behind them are to be sent again
 * @param key of the sender's ring, on this link
 * @param largerKey of its larger ring, or 0
 */
record Resume(int number, boolean asked, boolean closed, boolean moved, long read, long arrived, int key,
        int largerKey) {
    private static final int ASKED = 1;
    private static final int MOVED = 2;
    private static final int CLOSED = 4;

    /** Writes this message at the start of a buffer that begins with zeros. Returns its length. */
    int encode(ByteBuffer out) {
        out.put(MessageDescriptor.TYPE, MessageDescriptor.RESUME);
        out.put(MessageDescriptor.RESUME_FLAGS, (byte) ((asked ? ASKED : 0) | (closed ? CLOSED : 0)
                | (moved ? MOVED : 0)));
        out.putInt(MessageDescriptor.NUMBER, number);
        out.putLong(MessageDescriptor.RESUME_READ, read);
        out.putLong(MessageDescriptor.RESUME_ARRIVED, arrived);
        out.putInt(MessageDescriptor.RESUME_KEY, key);
        out.putInt(MessageDescriptor.RESUME_LARGER_KEY, largerKey);
        return MessageDescriptor.RESUME_BYTES;
    }

    /** Reads the message at the start of a buffer; what it claims is for the connection to check. */
    static Resume decode(ByteBuffer in) {
        int flags = in.get(MessageDescriptor.RESUME_FLAGS);
        return new Resume(in.getInt(MessageDescriptor.NUMBER), (flags & ASKED) != 0, (flags & CLOSED) != 0,
                (flags & MOVED) != 0, in.getLong(MessageDescriptor.RESUME_READ),
                in.getLong(MessageDescriptor.RESUME_ARRIVED), in.getInt(MessageDescriptor.RESUME_KEY),
                in.getInt(MessageDescriptor.RESUME_LARGER_KEY));
    }
}
