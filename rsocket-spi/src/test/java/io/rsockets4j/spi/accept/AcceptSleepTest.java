/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Resources;
import io.rsockets4j.spi.suite.kit.Task;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Sleeping until a link or a TCP connection comes, on platform threads and on virtual ones. */
@ParameterizedClass(name = "virtual = {0}")
@ValueSource(booleans = {false, true})
class AcceptSleepTest {
    private static final long NEVER = Long.MAX_VALUE;

    private final boolean virtual;
    private final Resources resources = new Resources();
    private final AcceptQueue queue = new AcceptQueue(1, new SpinPolicy(0, 1));
    private ServerSocketChannel tcp;
    private AcceptSleep sleep;

    AcceptSleepTest(boolean virtual) {
        this.virtual = virtual;
    }

    @BeforeEach
    void listen() throws IOException {
        assumeTrue(!virtual || Machine.capabilities().contains(Capability.VIRTUAL_THREADS), "no virtual threads");
        tcp = resources.add(JdkProvider.get().openServerSocketChannel());
        tcp.bind(new InetSocketAddress(Machine.address(), 0)).configureBlocking(false);
        sleep = new AcceptSleep(queue, tcp, Bell.unshared());
        resources.add(sleep::close);
    }

    @AfterEach
    void closeAndJoin() {
        resources.close();
    }

    private Task<Boolean> startSleep(long deadlineNanos) {
        return resources.start("sleeper", virtual, () -> sleep.sleep(deadlineNanos));
    }

    @Test
    void shouldWakeWhenTcpConnectionComes() throws Exception {
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(virtual ? "park" : "select");
        resources.add(SocketChannel.open(tcp.getLocalAddress()));
        assertThat(sleeper.join()).isTrue();
        assertThat(sleep.isTcpReady()).isTrue();
    }

    @Test
    void shouldWakeWhenRung() throws Exception {
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(virtual ? "park" : "select");
        sleep.ring(queue);
        assertThat(sleeper.join()).isFalse();
    }

    @Test
    void shouldNotSleepAfterAWakeup() throws Exception {
        sleep.wakeup();
        assertThat(startSleep(NEVER).join()).isFalse();
        startSleep(NEVER).awaitBlockedIn(virtual ? "park" : "select");
    }

    @Test
    void shouldSeeTcpConnectionAfterTheDeadlineToo() throws Exception {
        assertThat(startSleep(System.nanoTime()).join()).isFalse();
        resources.add(SocketChannel.open(tcp.getLocalAddress()));
        assertThat(startSleep(System.nanoTime()).join()).isTrue();
    }

    @Test
    void shouldSleepUntilTheDeadline() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(30);
        assertThat(startSleep(deadline).join()).isFalse();
        assertThat(System.nanoTime() - deadline).isNotNegative();
    }

    @Test
    void shouldWakeWhenInterrupted() throws Exception {
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(virtual ? "park" : "select");
        sleeper.interrupt();
        assertThat(sleeper.join()).isFalse();
        assertThat(sleeper.wasInterruptedAtEnd()).isTrue();
    }

    /** The descriptor's number may be another's at once, so no one may wait for it any more. */
    @Test
    void shouldHaveWokenTheSleeperOnceClosed() throws Exception {
        Task<Boolean> sleeper = startSleep(NEVER);
        sleeper.awaitBlockedIn(virtual ? "park" : "select");
        tcp.close();
        sleep.close();
        assertThat(sleeper.join()).isFalse();
    }
}
