/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The selected-key set of one selector: the program may remove keys, only the selector adds them. Each key knows its
 * position, so that nothing here allocates but {@link #iterator}. Not thread-safe, as the contract says: the selector
 * holds this object's monitor while it selects.
 */
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private RSelectionKey[] keys = new RSelectionKey[16];
    private int size;
    private int changes;

    /** Adds a key that is not in this set. */
    void append(RSelectionKey key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
        }
        key.selectedIndex = size;
        keys[size++] = key;
        changes++;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(Object o) {
        return o instanceof RSelectionKey key && isHere(key);
    }

    @Override
    public boolean remove(Object o) {
        if (o instanceof RSelectionKey key && isHere(key)) {
            removeAt(key.selectedIndex);
            changes++;
            return true;
        }
        return false;
    }

    @Override
    public void clear() {
        for (int i = 0; i < size; i++) {
            keys[i].selectedIndex = -1;
            keys[i] = null;
        }
        size = 0;
        changes++;
    }

    @Override
    public Iterator<SelectionKey> iterator() {
        return new Backward();
    }

    private boolean isHere(RSelectionKey key) {
        int index = key.selectedIndex;
        return index >= 0 && index < size && keys[index] == key;
    }

    private void removeAt(int index) {
        keys[index].selectedIndex = -1;
        RSelectionKey last = keys[--size];
        keys[size] = null;
        if (index < size) {
            keys[index] = last;
            last.selectedIndex = index;
        }
    }

    /** Goes from the end, so that a removal moves only keys that were seen. */
    private final class Backward implements Iterator<SelectionKey> {
        private int next = size;
        private int current = -1;
        private int expectedChanges = changes;

        @Override
        public boolean hasNext() {
            return next > 0;
        }

        @Override
        public SelectionKey next() {
            checkUnchanged();
            if (next == 0) {
                throw new NoSuchElementException();
            }
            current = --next;
            return keys[current];
        }

        @Override
        public void remove() {
            if (current < 0) {
                throw new IllegalStateException();
            }
            checkUnchanged();
            removeAt(current);
            current = -1;
            expectedChanges = ++changes;
        }

        private void checkUnchanged() {
            if (changes != expectedChanges) {
                throw new ConcurrentModificationException();
            }
        }
    }
}
