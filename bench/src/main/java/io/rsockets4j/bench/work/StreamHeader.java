/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

/**
 * What announces a stream: eight bytes, the kind in the topmost and the length in the others.
 *
 * @param kind what to do with the stream
 * @param lengthBytes how many bytes follow the header
 */
record StreamHeader(Kind kind, long lengthBytes) {

    /** The length of the answer to {@link Kind#REPORT}: nanoseconds and CRC32C, a long each. */
    static final int REPORT_BYTES = 2 * Long.BYTES;

    private static final int KIND_SHIFT = 56;
    private static final Kind[] KINDS = Kind.values();

    /** What to do with the bytes that follow. */
    enum Kind {
        /** Count them. */
        PLAIN,
        /** Count them and compute their checksum. */
        CHECKED,
        /** None follow: tell about the last stream. */
        REPORT
    }

    long encode() {
        return (long) kind.ordinal() << KIND_SHIFT | lengthBytes;
    }

    static StreamHeader decode(long bits) {
        return new StreamHeader(KINDS[(int) (bits >>> KIND_SHIFT)], bits & (1L << KIND_SHIFT) - 1);
    }
}
