/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NegativeCacheTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
    private static final FileTime OLD = FileTime.fromMillis(1_000_000);
    private static final FileTime LATER = FileTime.fromMillis(2_000_000);

    @TempDir
    private Path directory;

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE); // about to overflow, as it may
    private NegativeCache cache;

    @BeforeEach
    void setUp() throws IOException {
        changedAt(OLD);
        cache = new NegativeCache(directory, clock::get);
    }

    @Test
    void shouldKnowAnAddressUntilTheDirectoryChanges() throws IOException {
        assertThat(cache.has(ADDRESS, cache.lastChange())).isFalse();
        cache.add(ADDRESS, cache.lastChange());
        assertThat(cache.has(ADDRESS, cache.lastChange())).isTrue();
        changedAt(LATER);
        clock.addAndGet(NegativeCache.POLL_NANOS);
        assertThat(cache.has(ADDRESS, cache.lastChange())).isFalse();
    }

    @Test
    void shouldLookOnceInAMillisecond() throws IOException {
        assertThat(cache.lastChange()).isEqualTo(OLD);
        changedAt(LATER);
        clock.addAndGet(NegativeCache.POLL_NANOS - 1);
        assertThat(cache.lastChange()).isEqualTo(OLD);
        clock.incrementAndGet();
        assertThat(cache.lastChange()).isEqualTo(LATER);
    }

    @Test
    void shouldLookAgainAtOnceWhereTcpHasFoundNobody() throws IOException {
        assertThat(cache.lastChange()).isEqualTo(OLD);
        changedAt(LATER);
        cache.invalidate();
        assertThat(cache.lastChange()).isEqualTo(LATER);
    }

    @Test
    void shouldKnowAtOnceWhatThisProcessChanges() throws IOException {
        assertThat(cache.lastChange()).isEqualTo(OLD);
        changedAt(LATER);
        NegativeCache.directoryChanged();
        assertThat(cache.lastChange()).isEqualTo(LATER);
    }

    @Test
    void shouldNotTrustATimeStampThatAnotherChangeMayShare() throws IOException {
        changedAt(FileTime.fromMillis(System.currentTimeMillis()));
        cache.add(ADDRESS, cache.lastChange());
        assertThat(cache.has(ADDRESS, cache.lastChange())).isFalse();
    }

    @Test
    void shouldBeBounded() throws IOException {
        for (int port = 1; port <= NegativeCache.MAX_ADDRESSES + 1; port++) {
            cache.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), cache.lastChange());
        }
        assertThat(cache.has(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), OLD)).isFalse();
        assertThat(cache.has(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), NegativeCache.MAX_ADDRESSES + 1), OLD))
                .isTrue();
    }

    private void changedAt(FileTime time) throws IOException {
        Files.setLastModifiedTime(directory, time);
    }
}
