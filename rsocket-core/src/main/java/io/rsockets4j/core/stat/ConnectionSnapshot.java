/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

/**
 * What was known of one connection end at one time.
 *
 * @param id a number that no other connection of its process has
 * @param direction {@code connect} or {@code accept}
 * @param local this end's address
 * @param remote the peer's address
 * @param path for example {@code shm}
 * @param reason number and name of why that path
 * @param bytesSent bytes since it began; 0 over tcp, where the kernel counts
 * @param bytesReceived bytes since it began; 0 over tcp
 * @param creditBytes bytes that may be sent at once, as last seen
 * @param stalls how often someone had to wait for credit
 * @param openedAtMillis milliseconds since the epoch
 * @param directBytesSent of {@code bytesSent} those that went straight into buffers of the peer's reads
 * @param directBytesReceived of {@code bytesReceived} those that came straight into buffers of reads
 */
public record ConnectionSnapshot(long id, String direction, String local, String remote, String path, String reason,
        long bytesSent, long bytesReceived, long creditBytes, long stalls, long openedAtMillis, long directBytesSent,
        long directBytesReceived) {
    private static final int FIELDS = 13;

    /** One line: the fields in their order, with tabs between them. */
    String encode() {
        return String.join("\t", Long.toString(id), direction, local, remote, path, reason, Long.toString(bytesSent),
                Long.toString(bytesReceived), Long.toString(creditBytes), Long.toString(stalls),
                Long.toString(openedAtMillis), Long.toString(directBytesSent), Long.toString(directBytesReceived));
    }

    /**
     * Reads what {@link #encode} wrote. Further fields, of a later version, are ignored.
     *
     * @throws IllegalArgumentException if the line makes no sense
     */
    static ConnectionSnapshot decode(String line) {
        String[] f = fields(line, FIELDS);
        return new ConnectionSnapshot(Long.parseLong(f[0]), f[1], f[2], f[3], f[4], f[5], Long.parseLong(f[6]),
                Long.parseLong(f[7]), Long.parseLong(f[8]), Long.parseLong(f[9]), Long.parseLong(f[10]),
                Long.parseLong(f[11]), Long.parseLong(f[12]));
    }

    /** Splits a line at its tabs. Throws IllegalArgumentException where it has too few fields. */
    static String[] fields(String line, int atLeast) {
        String[] fields = line.split("\t", -1);
        if (fields.length < atLeast) {
            throw new IllegalArgumentException(fields.length + " fields instead of " + atLeast + ": " + line);
        }
        return fields;
    }
}
