/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * How files come into memory: by a segment. The JDK makes the buffer of the older way by reflection, for which it spins
 * some thirty classes where it is the first: a seventh of the time of a first connect (record 12).
 */
final class FileMapping {
    private FileMapping() { }

    /**
     * Maps the beginning of a file, for this process and others to read and write.
     *
     * @param file open for both
     * @param bytes how many, at most 2^31 - 1
     * @return direct; the mapping lasts as long as this, or a slice of it, is reachable
     * @throws IOException if there is no room for it
     */
    static ByteBuffer of(FileChannel file, long bytes) throws IOException {
        return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto()).asByteBuffer();
    }
}
