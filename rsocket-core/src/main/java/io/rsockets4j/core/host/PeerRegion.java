/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.nio.ByteBuffer;

/**
 * A region of a peer, mapped once for all connections of this process. To touch its memory is a fault, an {@link
 * InternalError}, once the peer has truncated the file.
 */
public final class PeerRegion {
    private final SharedRegions regions;
    private final String name;
    private final MappedFile file;
    private final ByteBuffer memory;
    private int uses; // guarded by the lock of the regions

    PeerRegion(SharedRegions regions, String name, MappedFile file, int bytes) {
        this.regions = regions;
        this.name = name;
        this.file = file;
        this.memory = file.slice(0, bytes);
    }

    /**
     * The memory; not to be touched after {@link #close}.
     *
     * @return for access at absolute positions
     */
    public ByteBuffer memory() {
        return memory;
    }

    /** Ends this use of it. Once for each {@link SharedRegions#open}. */
    public void close() {
        regions.close(this);
    }

    String name() {
        return name;
    }

    void use() {
        uses++;
    }

    /** Ends a use; the last one unmaps the memory. */
    boolean unuse() {
        uses--;
        if (uses == 0) {
            file.unmap();
        }
        return uses == 0;
    }
}
