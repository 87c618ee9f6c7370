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
    /** Whether all of it is there still. Asks the kernel. */
    boolean isWhole() {
        return file.length() >= memory.capacity();
    }
}
