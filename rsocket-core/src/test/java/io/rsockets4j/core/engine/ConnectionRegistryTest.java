/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConnectionRegistryTest {
    private static final InetSocketAddress LOCAL = InetSocketAddress.createUnresolved("here", 1);
    private static final InetSocketAddress REMOTE = InetSocketAddress.createUnresolved("there", 2);

    private final ConnectionCounts counts = new ConnectionCounts();
    private final ConnectionRegistry registry = new ConnectionRegistry(counts);

    @Test
    void shouldKnowAConnectionUntilItIsClosed() {
        Object owner = new Object();
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
    void shouldNumberConnections() {
        Object owner = new Object();
        assertThat(open(owner).id()).isEqualTo(1);
        assertThat(open(owner).id()).isEqualTo(2);
        assertThat(registry.live()).hasSize(2);
    }

    @Test
    void shouldNeitherKeepNorReportSocketsThatWereForgotten() {
        Object owner = new Object();
        WeakReference<Object> seen = new WeakReference<>(owner);
        open(owner);
        assertThat(registry.live()).hasSize(1);
        owner = null;
        while (!registry.live().isEmpty()) { // the time limit of the class ends it
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(seen.get()).isNull();
    }

    private ConnectionInfo open(Object owner) {
        return registry.openedTcp(owner, Direction.CONNECT, LOCAL, REMOTE, Reason.NOT_OFFERED);
    }
}
