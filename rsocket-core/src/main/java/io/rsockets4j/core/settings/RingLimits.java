/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

/**
 * How large rings are. A ring stands for two socket buffers of TCP, the sender's and the receiver's; where programs
 * have sized those, it holds about what they would hold, so that a program that fills them does not block sooner.
 *
 * @param usualBytes capacity where nobody asked for anything, a power of two
 * @param maxBytes the largest capacity, a power of two, at least {@code usualBytes}
 */
public record RingLimits(int usualBytes, int maxBytes) {
    /** The smallest capacity. */
    public static final int MIN_BYTES = 8 * 1024;

    /** SO_RCVBUF of a connection before TCP tunes it, which it does as the program reads. */
    private static final int TCP_RECEIVE_BYTES = 128 * 1024;

    /**
     * The capacity of the ring between two buffers.
     *
     * @param sendBuffer the sender's SO_SNDBUF as TCP reports it, 0 where it is left to TCP: then it grows to megabytes
     * @param receiveBuffer the receiver's SO_RCVBUF, 0 where it is left to TCP
     * @return a power of two, at most {@link #maxBytes}, and not less than usual where the sender did not ask for less
     */
    public int capacity(int sendBuffer, int receiveBuffer) {
        if (sendBuffer == 0 && receiveBuffer == 0) {
            return usualBytes;
        }
        long both = (long) sendBuffer + (receiveBuffer == 0 ? TCP_RECEIVE_BYTES : receiveBuffer);
        long payload = both - both / 4; // what is left of them besides the kernel's own bookkeeping
        long bytes = Math.max(MIN_BYTES, Math.min(powerOfTwo(payload), maxBytes));
        return (int) (sendBuffer == 0 ? Math.max(usualBytes, bytes) : bytes);
    }

    /** Whether a ring can have this capacity. */
    public boolean allows(int bytes) {
        return bytes >= MIN_BYTES && bytes <= maxBytes && Integer.bitCount(bytes) == 1;
    }

    private static long powerOfTwo(long bytes) {
        return Long.highestOneBit(Math.max(1, bytes - 1)) << 1;
    }
}
