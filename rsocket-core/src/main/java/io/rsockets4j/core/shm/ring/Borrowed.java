/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import java.io.File;
import java.nio.ByteBuffer;

/**
 * Memory that a peer lends, as it was mapped. The peer may change or take back all of it at any time.
 *
 * @param memory all of it
 * @param file what it was mapped from
 */
public record Borrowed(ByteBuffer memory, File file) {
    /** Stands for memory that cannot be mapped just now, as this process lacks something. */
    public static final Borrowed LATER = new Borrowed(null, null);
    /** Stands for a file that is no memory of the peer's: it is empty, so every loan lies outside of it. */
    public static final Borrowed NONE = new Borrowed(ByteBuffer.allocate(0), new File(""));

    /** Whether the file is as long as it was. Asks the kernel. */
    boolean isWhole() {
        return file.length() >= memory.capacity();
    }

    /** Whether the file is there, and shorter than it was; one without a name may be whole. Asks the kernel. */
    boolean isCut() {
        return !isWhole() && file.exists();
    }
}
