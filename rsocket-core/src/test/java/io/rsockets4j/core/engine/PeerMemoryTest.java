/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeerMemoryTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50); // runs over: nanoTime may
    private final PeerMemory memory = new PeerMemory(100, clock::get);

    @Test
    void shouldRememberARefusalForAWhileByPathAddressAndPort() {
        memory.refused("rdma", peer(1));
        assertThat(memory.isRefused("rdma", peer(1))).isTrue();
        assertThat(memory.isRefused("rdma", peer(2))).isFalse();
        assertThat(memory.isRefused("shm", peer(1))).isFalse();
        clock.addAndGet(99);
        assertThat(memory.isRefused("rdma", peer(1))).isTrue();
        clock.addAndGet(1);
        assertThat(memory.isRefused("rdma", peer(1))).isFalse();
    }

    @Test
    void shouldLetOneConnectAskWhenTheTimeIsOver() {
        memory.refused("rdma", peer(1));
        clock.addAndGet(100);
        assertThat(memory.isRefused("rdma", peer(1))).as("who comes first asks").isFalse();
        assertThat(memory.isRefused("rdma", peer(1))).as("others do not, meanwhile").isTrue();
    }

    @Test
    void shouldForgetWhoAccepts() {
        memory.refused("rdma", peer(1));
        memory.forget("rdma", peer(1));
        assertThat(memory.isRefused("rdma", peer(1))).isFalse();
    }

    @Test
    void shouldStayBounded() {
        for (int port = 1; port <= 3 * PeerMemory.MAX_PEERS; port++) {
            memory.refused("rdma", peer(port));
        }
        assertThat(remembered(3 * PeerMemory.MAX_PEERS)).isLessThanOrEqualTo(PeerMemory.MAX_PEERS);
    }

    @Test
    void shouldForgetWhatIsOverBeforeTheRest() {
        for (int port = 1; port < PeerMemory.MAX_PEERS; port++) {
            memory.refused("rdma", peer(port));
        }
        clock.addAndGet(50);
        memory.refused("rdma", peer(50_000));
        clock.addAndGet(50);
        memory.refused("rdma", peer(50_001));
        assertThat(memory.isRefused("rdma", peer(50_000))).isTrue();
        assertThat(remembered(60_000)).isEqualTo(2);
    }

    @Test
    void shouldRememberNothingWhenTold() {
        PeerMemory none = new PeerMemory(0, clock::get);
        none.refused("rdma", peer(1));
        assertThat(none.isRefused("rdma", peer(1))).isFalse();
    }

    /** Of those with ports up to one. Where the time was over, who asks first begins it anew, and the next hears no. */
    private long remembered(int lastPort) {
        return IntStream.rangeClosed(1, lastPort).mapToObj(PeerMemoryTest::peer)
                .filter(peer -> memory.isRefused("rdma", peer) || memory.isRefused("rdma", peer)).count();
    }

    private static InetSocketAddress peer(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
