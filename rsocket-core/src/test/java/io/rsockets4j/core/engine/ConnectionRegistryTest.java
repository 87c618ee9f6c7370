/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.FakeLink;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.core.stat.Metric;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConnectionRegistryTest {
    private static final InetSocketAddress LOCAL = InetSocketAddress.createUnresolved("here", 1);
    private static final InetSocketAddress PEER = new InetSocketAddress("127.0.0.1", 2);
    private static final InetSocketAddress REMOTE = InetSocketAddress.createUnresolved("there", 2);


    private final ConnectionCounts counts = new ConnectionCounts();
    private final ConnectionRegistry registry = new ConnectionRegistry(counts);

    @Test
    void shouldKnowAConnectionUntilItIsClosed() {
        TcpAddresses owner = new Owner();
        ConnectionInfo info = open(owner);
        assertThat(registry.live()).containsExactly(info);
        assertThat(info.path()).isEqualTo("tcp");
        assertThat(info.local()).isEqualTo(LOCAL);
        assertThat(info.remote()).isEqualTo(REMOTE);
        assertThat(info.link()).isNull();
        assertThat(info).hasToString("connect here/<unresolved>:1 -> there/<unresolved>:2 tcp (20 not-offered)");
        registry.closed(info);
        registry.closed(info);
        registry.closed(null);
        assertThat(registry.live()).isEmpty();
        assertThat(counts.of("tcp")).isEqualTo(1);
        assertThat(owner).isNotNull();
    }

    @Test
    void shouldAskForTheAddressesOfTcpWhenSomeoneWantsToKnowThem() {
        AtomicInteger asked = new AtomicInteger();
        TcpAddresses owner = new Owner() {
            @Override
            public InetSocketAddress localOrNull() {
                asked.incrementAndGet();
                return LOCAL;
            }
        };
        ConnectionInfo info = open(owner);
        assertThat(asked).hasValue(0);
        assertThat(info.local()).isEqualTo(LOCAL);
        registry.closed(info);
        assertThat(info.local()).as("once known").isEqualTo(LOCAL);
        assertThat(info.remote()).as("never asked").isNull();
        assertThat(asked).hasValue(1);
        Reference.reachabilityFence(owner);
    }

    @Test
    void shouldNumberConnections() {
        TcpAddresses owner = new Owner();
        assertThat(open(owner).snapshot().id()).isEqualTo(1);
        assertThat(open(owner).snapshot().id()).isEqualTo(2);
        assertThat(registry.live()).hasSize(2);
    }

    @Test
    void shouldNeitherKeepNorReportSocketsThatWereForgotten() throws Exception {
        TcpAddresses owner = new Owner();
        WeakReference<TcpAddresses> seen = new WeakReference<>(owner);
        open(owner);
        assertThat(registry.live()).hasSize(1);
        owner = null;
        Eventually.until("the socket is collected", () -> {
            System.gc();
            return registry.live().isEmpty();
        });
        assertThat(seen.get()).isNull();
    }

    @Test
    void shouldTellOfEveryPathBeforeAnythingHappens() {
        assertThat(metrics()).containsOnlyKeys("rsockets4j.connections.open{direction=connect,path=shm}",
                "rsockets4j.connections.opened{direction=connect,path=shm}",
                "rsockets4j.connections.open{direction=accept,path=shm}",
                "rsockets4j.connections.opened{direction=accept,path=shm}",
                "rsockets4j.connections.open{direction=connect,path=tcp}",
                "rsockets4j.connections.opened{direction=connect,path=tcp}",
                "rsockets4j.connections.open{direction=accept,path=tcp}",
                "rsockets4j.connections.opened{direction=accept,path=tcp}", "rsockets4j.bytes.sent{path=shm}",
                "rsockets4j.bytes.received{path=shm}", "rsockets4j.stalls{path=shm}");
        assertThat(metrics().values()).containsOnly(0L);
    }

    @Test
    void shouldKeepTheSumsOfConnectionsThatAreClosed() {
        TcpAddresses owner = new Owner();
        FakeLink first = new FakeLink("shm", PEER);
        FakeLink second = new FakeLink("shm", PEER);
        ConnectionInfo info = registry.opened(owner, Direction.CONNECT, first, Reason.PREFERRED);
        registry.opened(owner, Direction.ACCEPT, second, Reason.PEER_CHOICE);
        first.counted(1, 20, 300);
        second.counted(4000, 50_000, 600_000);
        assertThat(metrics()).containsAllEntriesOf(sums(4001, 50_020, 600_300));
        first.counted(2, 21, 301);
        registry.closed(info);
        first.counted(0, 0, 0); // it counts no more
        assertThat(metrics()).containsAllEntriesOf(sums(4002, 50_021, 600_301))
                .containsEntry("rsockets4j.connections.open{direction=connect,path=shm}", 0L)
                .containsEntry("rsockets4j.connections.opened{direction=connect,path=shm}", 1L)
                .containsEntry("rsockets4j.connections.open{direction=accept,path=shm}", 1L)
                .doesNotContainKey("rsockets4j.bytes.sent{path=tcp}");
        Reference.reachabilityFence(owner);
    }

    @Test
    void shouldTellWhatWentStraightIntoBuffers() {
        TcpAddresses owner = new Owner();
        FakeLink link = new FakeLink("rdma", PEER);
        ConnectionInfo info = registry.opened(owner, Direction.CONNECT, link, Reason.PREFERRED);
        link.counted(100, 200, 0);
        link.countedDirect(99, 198);
        assertThat(info.snapshot().directBytesSent()).isEqualTo(99);
        assertThat(info.snapshot().directBytesReceived()).isEqualTo(198);
        assertThat(metrics()).containsEntry("rsockets4j.direct.bytes.sent{path=rdma}", 99L)
                .containsEntry("rsockets4j.direct.bytes.received{path=rdma}", 198L);
        Reference.reachabilityFence(owner);
    }

    @Test
    void shouldTellOfMessagesOnceThereAreSome() {
        TcpAddresses owner = new Owner();
        FakeLink first = new FakeLink("shm", PEER);
        FakeLink second = new FakeLink("shm", PEER);
        ConnectionInfo info = registry.opened(owner, Direction.CONNECT, first, Reason.PREFERRED);
        registry.opened(owner, Direction.ACCEPT, second, Reason.PEER_CHOICE);
        assertThat(metrics()).doesNotContainKey("rsockets4j.messages.sent{path=shm}");
        first.posted(3);
        registry.closed(info);
        second.posted(40);
        assertThat(metrics()).containsEntry("rsockets4j.messages.sent{path=shm}", 43L);
        Reference.reachabilityFence(owner);
    }

    @Test
    void shouldCountFallbacksByReason() {
        TcpAddresses owner = new Owner();
        registry.closed(open(owner));
        open(owner);
        registry.opened(owner, Direction.CONNECT, null, Reason.TIMEOUT);
        registry.opened(owner, Direction.CONNECT, null, Reason.RULE);
        registry.opened(owner, Direction.ACCEPT, null, Reason.PEER_CHOICE);
        assertThat(metrics()).containsEntry("rsockets4j.fallbacks{path=tcp,reason=not-offered}", 2L)
                .containsEntry("rsockets4j.fallbacks{path=tcp,reason=timeout}", 1L);
        assertThat(metrics().keySet()).filteredOn(id -> id.startsWith("rsockets4j.fallbacks")).hasSize(2);
        Reference.reachabilityFence(owner);
    }

    private Map<String, Long> metrics() {
        return registry.metrics(List.of("shm", "tcp")).stream()
                .collect(Collectors.toMap(Metric::id, Metric::value));
    }

    private static Map<String, Long> sums(long sent, long received, long stalls) {
        return Map.of("rsockets4j.bytes.sent{path=shm}", sent, "rsockets4j.bytes.received{path=shm}", received,
                "rsockets4j.stalls{path=shm}", stalls);
    }

    private ConnectionInfo open(TcpAddresses owner) {
        return registry.opened(owner, Direction.CONNECT, null, Reason.NOT_OFFERED);
    }

    private static class Owner implements TcpAddresses {
        @Override
        public InetSocketAddress localOrNull() {
            return LOCAL;
        }

        @Override
        public InetSocketAddress remoteOrNull() {
            return REMOTE;
        }
    }
}
