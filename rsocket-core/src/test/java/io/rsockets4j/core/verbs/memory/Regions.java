/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/** All registered memory of a network. A key is an index and a random byte, as devices do it. Thread-safe. */
final class Regions {
    private static final int TAG_BITS = 8;

    private final List<Region> regions = new CopyOnWriteArrayList<>();
    private final Random random = new Random(1);
    private final Map<ByteBuffer, Long> wholes = new IdentityHashMap<>(); // addresses of buffers, from their begin on
    private long nextAddress = 0x7f00_0000_0000L;

    /** A buffer that is registered again, as a whole, has the address that it had. */
    synchronized MemoryRegion add(MemoryDomain domain, ByteBuffer buffer, boolean remoteWrite) {
        ByteBuffer memory = buffer.slice();
        boolean whole = buffer.remaining() == buffer.capacity();
        long address = whole ? wholes.computeIfAbsent(buffer, any -> reserve(buffer.capacity()))
                : reserve(memory.capacity());
        int index = regions.size() + 1 << TAG_BITS;
        int localTag = random.nextInt(1 << TAG_BITS);
        int remoteTag = localTag ^ 1 + random.nextInt((1 << TAG_BITS) - 1);
        MemoryRegion mr = new MemoryRegion(address, memory.capacity(), index | localTag, index | remoteTag);
        regions.add(new Region(domain, memory, mr, remoteWrite));
        return mr;
    }

    private long reserve(int bytes) {
        long address = nextAddress;
        int pages = (bytes + MemoryDomain.PAGE_BYTES - 1) / MemoryDomain.PAGE_BYTES;
        nextAddress += (pages + 1L + random.nextInt(16)) * MemoryDomain.PAGE_BYTES;
        return address;
    }

    /** The region that a work request's own side may use with this key, or null. */
    Region local(MemoryDomain domain, int key) {
        Region region = at(key);
        return region != null && region.domain() == domain && region.mr().localKey() == key ? region : null;
    }

    /** The region that a peer may write to with this key, or null. */
    Region remote(MemoryDomain domain, int key) {
        Region region = at(key);
        return region != null && region.domain() == domain && region.mr().remoteKey() == key && region.remoteWrite()
                ? region : null;
    }

    /** Forgets a region. Returns false if this domain has no such one. */
    synchronized boolean remove(MemoryDomain domain, MemoryRegion mr) {
        Region region = local(domain, mr.localKey());
        if (region == null) {
            return false;
        }
        regions.set((mr.localKey() >>> TAG_BITS) - 1, null);
        return true;
    }

    /** Whether a domain has regions. */
    boolean areOf(MemoryDomain domain) {
        return regions.stream().anyMatch(region -> region != null && region.domain() == domain);
    }

    private Region at(int key) {
        int index = (key >>> TAG_BITS) - 1;
        return index >= 0 && index < regions.size() ? regions.get(index) : null;
    }
}
