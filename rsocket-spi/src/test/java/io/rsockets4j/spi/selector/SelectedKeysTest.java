/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The selected-key set as a set. */
class SelectedKeysTest {
    private final SelectedKeys set = new SelectedKeys();
    private final List<RSelectionKey> keys = new ArrayList<>();

    @Test
    void shouldVisitEveryKeyOnceWhateverIsRemoved() throws Exception {
        for (int removed = 0; removed < 1 << 6; removed++) {
            fill(6);
            Set<SelectionKey> seen = new HashSet<>();
            Set<SelectionKey> kept = new HashSet<>();
            for (Iterator<SelectionKey> all = set.iterator(); all.hasNext();) {
                SelectionKey key = all.next();
                assertThat(seen.add(key)).isTrue();
                if ((removed & 1 << keys.indexOf(key)) != 0) {
                    all.remove();
                } else {
                    kept.add(key);
                }
            }
            assertThat(seen).hasSize(6);
            assertThat(set).isEqualTo(kept);
        }
    }

    @Test
    void shouldGrowAndShrink() throws Exception {
        fill(1000);
        assertThat(set).hasSize(1000).containsExactlyInAnyOrderElementsOf(keys);
        for (RSelectionKey key : keys) {
            assertThat(set.remove(key)).isTrue();
            assertThat(set.remove(key)).isFalse();
            assertThat(set.contains(key)).isFalse();
        }
        assertThat(set).isEmpty();
    }

    @Test
    void shouldKnowOnlyItsOwnKeys() throws Exception {
        fill(3);
        SelectedKeys other = new SelectedKeys();
        RSelectionKey elsewhere = new RSelectionKey(null, new FakeChannel(), key -> { }, null);
        other.append(elsewhere);
        assertThat(set.contains(elsewhere)).isFalse();
        assertThat(set.remove(elsewhere)).isFalse();
        assertThat(set.contains("key")).isFalse();
        assertThat(set.remove(null)).isFalse();
    }

    @Test
    void shouldRefuseWhatOnlyASelectorMayDo() throws Exception {
        fill(1);
        RSelectionKey more = new RSelectionKey(null, new FakeChannel(), key -> { }, null);
        assertThatThrownBy(() -> set.add(more)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldFailFast() throws Exception {
        fill(3);
        Iterator<SelectionKey> all = set.iterator();
        all.next();
        set.remove(keys.get(0));
        assertThatThrownBy(all::next).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(all::remove).isInstanceOf(ConcurrentModificationException.class);
        Iterator<SelectionKey> none = new SelectedKeys().iterator();
        assertThatThrownBy(none::next).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(none::remove).isInstanceOf(IllegalStateException.class);
    }

    private void fill(int count) throws Exception {
        set.clear();
        keys.clear();
        for (int i = 0; i < count; i++) {
            keys.add(new RSelectionKey(null, new FakeChannel(), key -> { }, null));
            set.append(keys.get(i));
        }
    }
}
