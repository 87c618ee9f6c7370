/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Finds the link of a completion by the tag in its work request's id. A tag is used again only after 65,536 other
 * links with the same index, so that what is left of a destroyed queue pair finds nobody.
 */
final class LinkTable {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Integer> free = new ArrayDeque<>(); // guarded by lock
    private volatile ServedLink[] links = new ServedLink[0]; // elements are written under lock
    private int[] generations = new int[0]; // guarded by lock
    private int size; // guarded by lock

    /** Takes a tag for a new link. */
    long reserve() {
        lock.lock();
        try {
            Integer index = free.poll();
            if (index == null) {
                index = size++;
                if (index == links.length) {
                    int length = Math.max(16, 2 * index);
                    generations = Arrays.copyOf(generations, length);
                    links = Arrays.copyOf(links, length);
                }
            }
            return WorkRequestIds.tag(index, ++generations[index]);
        } finally {
            lock.unlock();
        }
    }

    /** Makes a link known by its tag, before anything is posted for it. */
    void add(ServedLink link) {
        lock.lock();
        try {
            links[WorkRequestIds.index(link.tag())] = link;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a tag. The caller holds the lock of the poller that serves it. */
    void remove(long tag) {
        lock.lock();
        try {
            int index = WorkRequestIds.index(tag);
            links[index] = null;
            free.addLast(index); // the longest unused first
        } finally {
            lock.unlock();
        }
    }

    /** The link with a tag, or null when it has gone. */
    ServedLink get(long tag) {
        ServedLink[] all = links;
        int index = WorkRequestIds.index(tag);
        ServedLink link = index < all.length ? all[index] : null;
        return link != null && link.tag() == tag ? link : null;
    }

    /** Calls for each link. */
    void forEach(Consumer<ServedLink> action) {
        for (ServedLink link : links) {
            if (link != null) {
                action.accept(link);
            }
        }
    }
}
